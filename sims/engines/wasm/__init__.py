"""The engines' kernels as WebAssembly modules, for browsers: the same sources, and the same bits."""
