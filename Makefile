# `make serve` and `make test` are complete on a fresh machine; everything else builds on the same stamps.
PYTHON ?= python3
PORT ?= 5006
# PyTorch's CPU builds for platforms where the plain package brings several GB of CUDA; empty: only pip's own index.
TORCH_INDEX_URL ?= https://download.pytorch.org/whl/cpu

VENV := .venv
RUN := $(VENV)/bin/python
PIP := $(RUN) -m pip install --quiet --disable-pip-version-check
# Node comes from PyPI, so that everybody checks the scripts with the same one; the site itself needs none.
NPM := PATH="$(CURDIR)/$(VENV)/bin:$$PATH" npm
# Written by npm when it has installed everything: a folder that somebody has removed is installed again.
NODE_MODULES := node_modules/.package-lock.json

# Compiled modules are kept even where the environment says otherwise: the tests start many processes.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: serve write test test-all fast check lint types scripts current-numbers prose unused format numbers restamp kernels build site wheels reproduce bench load soak bundle stills new-simulation new-chapter contact-sheet zoo lock audit clean

serve: $(VENV)/dependencies
	exec $(VENV)/bin/panel serve app --port $(PORT)

# For authors: a saved page is built and shown, saved Python starts the server again, new numbers are computed.
write: $(VENV)/dev
	SKIP_WRITE=yes exec $(VENV)/bin/watchfiles --filter python "$(VENV)/bin/panel serve app --port $(PORT)" app sims

# Three tiers: `fast` while you work, `test` before a push, `test-all` before a release and when engines, figures or
# numbers have changed. What only `test-all` runs is marked `exhaustive`. Each run prints its 30 slowest tests and writes
# all durations to .cache/tests/.
# As many processes as cores, with one thread each: two threads each make PyTorch many times slower.
PYTEST := OMP_NUM_THREADS=1 $(RUN) -m pytest --numprocesses auto --dist loadfile --durations 30 --durations-min 1
QUICK := -m "not exhaustive"
# Tests in browsers wait for pictures that move, so half as many again keep all cores busy.
WAITING := --numprocesses $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) * 3 / 2)))
STATIC := lint types scripts prose unused

fast: $(VENV)/dev $(VENV)/browser-kernels $(VENV)/engine
	$(PYTEST) --ignore tests/browser $(QUICK) --junit-xml .cache/tests/fast.xml

# What is prepared with one core each is prepared at the same time. The site is built here, since otherwise each of the
# servers that tests start would build it. It comes last, after the engine that draws its pictures, so these two have one
# core to themselves, and what is `nice` shares the others. Whether stored numbers are current is left to a test, which has
# the pages in memory by then.
test: $(VENV)/dev
	$(MAKE) --jobs 4 --output-sync UNTIL=pictures build $(VENV)/browser-kernels types $(VENV)/chromium $(STATIC)
	$(MAKE) fast
	$(PYTEST) tests/browser $(QUICK) $(WAITING) --junit-xml .cache/tests/browser.xml

test-all: $(STATIC) $(VENV)/browser-kernels $(VENV)/engine $(VENV)/chromium $(VENV)/firefox-esr $(VENV)/zoo
	$(PYTEST) --ignore tests/browser --junit-xml .cache/tests/fast-all.xml
	$(PYTEST) tests/browser $(WAITING) --junit-xml .cache/tests/browser-all.xml

# Each of these takes one core, so that `make --jobs 2 check` takes half the time.
check: $(STATIC) current-numbers

lint: $(VENV)/dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

types: $(VENV)/dev
	nice $(VENV)/bin/mypy

scripts: $(NODE_MODULES)
	$(NPM) run --silent check

current-numbers: $(VENV)/dependencies
	$(RUN) -m tools.numbers --check

prose: $(VENV)/dependencies
	$(RUN) -m tools.prose

unused: $(VENV)/dev
	nice $(VENV)/bin/vulture

format: $(VENV)/dev $(NODE_MODULES)
	$(VENV)/bin/ruff check --fix --select I .
	$(VENV)/bin/ruff format .
	$(NPM) run --silent format

# The long numbers of the prose: compute what is missing or stale; compute all of them again and compare.
numbers: $(VENV)/dependencies
	exec $(RUN) -m tools.numbers

# The modules that train in browsers, stored with the code: compile them again if their code has changed.
kernels: $(VENV)/dependencies
	$(RUN) -m sims.kept.browser_kernels --ship

# New versions for kept numbers and runs that today's code would give again, with nothing computed: COMMIT made them.
restamp: $(VENV)/dependencies
	exec $(RUN) -m tools.restamp $(or $(COMMIT),HEAD)

# Everything that the server sends, which `make serve` builds in the background: pages, pictures, tables, and states that
# can be scrubbed. UNTIL=tables leaves out the states, UNTIL=pages everything but pages. Many pictures run the engine, and
# two processes would compile all of it twice.
build: $(VENV)/engine
	exec $(RUN) -m app.prerender $(if $(UNTIL),--until $(UNTIL))

# The site as files for any host; UNTIL=tables leaves out the states that can be scrubbed.
site: build
	$(RUN) -m tools.static_site site

# Two small packages, the X-ray and the blocks, which need torch and nothing else.
wheels: $(VENV)/dev
	$(RUN) -m tools.wheels wheels

# A simulation or a chapter that works already, to begin with; TITLE may be left out, and so may the last setting.
new-simulation: $(VENV)/dependencies
	$(RUN) -m authoring simulation "$(NAME)" --title "$(TITLE)" --subject "$(SUBJECT)" --training "$(TRAINING)"

new-chapter: $(VENV)/dependencies
	$(RUN) -m authoring chapter "$(NAME)" --title "$(TITLE)" --simulation "$(SIMULATION)"

reproduce: $(VENV)/dependencies
	exec $(RUN) -m tools.reproduce

bench: $(VENV)/dev $(VENV)/engine $(VENV)/chromium
	$(RUN) -m benchmarks

# One server under readers, READERS="1 10 50 200 1000" of them; and under some of them for MINUTES.
load: $(VENV)/dev $(VENV)/engine
	$(RUN) -m benchmarks load

soak: $(VENV)/dev $(VENV)/engine
	MINUTES=$(or $(MINUTES),30) $(RUN) -m benchmarks load

# The script that draws, of the versions in tools/bokeh-bundle/package.json.
bundle: $(VENV)/dev
	cd tools/bokeh-bundle && $(NPM) ci --ignore-scripts --no-audit --no-fund
	cd tools/bokeh-bundle && $(NPM) exec -- node build.mjs ../../app/static/vendor "$(CURDIR)/app/static/search/minisearch/index.js"

# What figures look like where no script runs, and the room they take; then what others show with a link to a page.
stills: $(VENV)/dev $(VENV)/engine $(VENV)/chromium
	$(RUN) -m tools.stills
	$(RUN) -m tools.cards

# Every figure on every screen, in both themes, at every moment; ONLY and SCREENS choose, as its first lines say.
contact-sheet: $(VENV)/dev $(VENV)/engine $(VENV)/chromium
	$(RUN) -m tools.contact_sheet $(ONLY) $(if $(SCREENS),--screens $(SCREENS))

# The X-ray on published architectures, into docs/xray-architectures.md; ONLY prints the lines of some. About 15 minutes.
zoo: $(VENV)/zoo
	PYTHONPATH=$(VENV)/zoo OMP_NUM_THREADS=1 $(RUN) -m tools.architectures $(ONLY)

# All that a container installs, with hashes; PyTorch's files are on an index of their own, and differ by machine.
lock: $(VENV)/dev
	$(VENV)/bin/uv pip compile --quiet --python-version 3.11 --generate-hashes --no-emit-package torch \
		$(if $(TORCH_INDEX_URL),--extra-index-url $(TORCH_INDEX_URL)) --custom-compile-command "make lock" \
		--output-file requirements.lock requirements.txt requirements-dask.txt

# Known vulnerabilities of what is locked; without a network it says so and fails nothing.
audit: $(VENV)/dev
	$(RUN) -m deploy.audit

$(VENV)/dependencies: requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) --retries 1 $(if $(TORCH_INDEX_URL),--extra-index-url $(TORCH_INDEX_URL)) $(shell grep ^torch requirements.txt)
	$(PIP) -r requirements.txt
	touch $@

$(VENV)/dev: $(VENV)/dependencies requirements-dev.txt requirements-dask.txt requirements-notebook.txt
	$(PIP) -r requirements-dev.txt -r requirements-dask.txt -r requirements-notebook.txt
	touch $@

# Beside the environment and not in it, and without PyTorch, which torchvision would bring once more, for CUDA.
$(VENV)/zoo: $(VENV)/dependencies requirements-zoo.txt
	$(PIP) --no-deps --upgrade --target $@ -r requirements-zoo.txt
	touch $@

# The linter, the compiler that reads types, and nothing that a page loads.
$(NODE_MODULES): $(VENV)/dev package.json package-lock.json
	$(NPM) ci --silent
	touch $@

# Compile the training engines, for this machine and for browsers, so that no test waits for it.
$(VENV)/engine: $(VENV)/dependencies $(shell find sims/engines -name '*.py')
	$(RUN) -m sims.chunks.preparation > /dev/null
	touch $@

$(VENV)/browser-kernels: $(VENV)/engine
	nice $(RUN) -m sims.kept.browser_kernels
	touch $@

$(VENV)/chromium $(VENV)/firefox-esr: $(VENV)/dev
	./tests/browser/install-browser $(@F) $(VENV)
	touch $@

clean:
	rm -rf $(VENV) .cache node_modules
