// A page that was renamed: visitors of its former address are redirected, with their query and hash.
const {href} = document.querySelector('a')
location.replace(href + location.search + location.hash)
