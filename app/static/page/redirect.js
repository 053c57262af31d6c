// A page that was renamed: whoever comes by its former address goes on with what that says besides.
const {href} = document.querySelector('a')
location.replace(href + location.search + location.hash)
