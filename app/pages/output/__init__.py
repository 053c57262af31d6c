"""The whole site: finished HTML, worksheets, embeds, search, citations, and the process that builds."""
