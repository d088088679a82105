# make record   ten seconds from the best device here, verified; the report
# make serve    the same device in a browser: builds the gateway too, and prints a link
# make test     every test that this machine can run
# See the README.

PREFIX ?= /usr/local
DESTDIR ?=
# What `make record` adds to the command line: RECORD_OPTIONS="--device pattern:clock"
RECORD_OPTIONS ?=
MOVIE ?= recording.mov

SWIFT ?= swift
VERSION := $(shell scripts/version)
recordctl = .build/release/recordctl
recordctl_serve = .build/release/recordctl-serve
# What `make serve` adds to the command line: SERVE_OPTIONS="--listen 0.0.0.0:8437"
SERVE_OPTIONS ?=
swift_folders = Package.swift $(wildcard Sources Tests Benchmarks Plugins)
install_bin = $(DESTDIR)$(PREFIX)/bin
install_share = $(DESTDIR)$(PREFIX)/share
# Where zsh looks below /usr/local; a Debian package has another folder.
zsh_folder = zsh/site-functions
manual_pages = $(notdir $(wildcard docs/man/*.1))

.PHONY: all build record serve test test-all bench bench-check format lint docs deb manual-pages install \
  uninstall packages clean

all: build

packages:
	@scripts/install-packages build

build: packages
	$(SWIFT) build -c release --product recordctl

record: build
	$(recordctl) record --duration 10s --overwrite -o $(MOVIE) $(RECORD_OPTIONS)
	$(recordctl) verify $(MOVIE)

serve: build
	$(SWIFT) build -c release --product recordctl-serve
	$(recordctl) serve $(SERVE_OPTIONS)

test:
	@scripts/install-packages build
	@scripts/run-tests

# Also the slow ones: long recordings, every format. And whether the compiler's optimizer takes all modules,
# of which `make record` builds a part, and the programs in Benchmarks still fit.
test-all:
	@scripts/install-packages build
	$(SWIFT) build -c release
	@TEST_ALL=1 TEST_TIMEOUT=7200 scripts/run-tests
	@scripts/check-benchmarks

# The encoders compared, about two minutes. More measures are in Benchmarks: what a frame costs apart
# from encoding, quality, recordings in real time.
bench: build
	$(recordctl) bench $(BENCH_OPTIONS)

# The encoders' speed against the figures in Benchmarks/thresholds.json, for a person on a quiet machine.
bench-check: build
	Benchmarks/check-thresholds $(recordctl)

format:
	$(SWIFT) format --in-place --configuration .swift-format --recursive $(swift_folders)

lint:
	@scripts/install-packages lint
	$(SWIFT) format lint --strict --configuration .swift-format --recursive $(swift_folders)
	scripts/lint-texts

# The libraries' reference as a site of plain files, in .build/docs.
docs:
	@scripts/install-packages build
	scripts/build-docs

# A Debian package in .build/deb; it needs no Swift toolchain where it is installed.
deb: export PACKAGE_FOLDER = .build/deb
deb:
	@scripts/install-packages build deb
	mkdir -p .build/deb
	rm -f .build/deb/recordctl_*.deb
	dpkg-checkbuilddeps
	debian/rules clean
	debian/rules binary
	lintian --fail-on error .build/deb/recordctl_*.deb

# The manual pages, from the help texts and docs/man/sections; a test tells where they are not up to date.
manual-pages: build
	scripts/manual-pages $(recordctl)

# Builds nothing: root need have no toolchain.
install:
	@test -x $(recordctl) || { echo "$(recordctl) is not there; run make build before" >&2; exit 1; }
	install -D -m 755 $(recordctl) $(install_bin)/recordctl
	# The gateway, where it was built: `make serve`.
	if [ -x $(recordctl_serve) ]; then \
	  install -m 755 $(recordctl_serve) $(install_bin)/recordctl-serve; \
	fi
	install -d $(install_share)/man/man1
	for page in $(manual_pages); do \
	  sed 's/^\.Os$$/.Os "recordctl $(VERSION)"/' docs/man/$$page \
	    > $(install_share)/man/man1/$$page || exit 1; \
	done
	install -d $(install_share)/bash-completion/completions $(install_share)/$(zsh_folder) \
	  $(install_share)/fish/vendor_completions.d
	$(recordctl) --generate-completion-script bash \
	  > $(install_share)/bash-completion/completions/recordctl
	$(recordctl) --generate-completion-script zsh \
	  > $(install_share)/$(zsh_folder)/_recordctl
	$(recordctl) --generate-completion-script fish \
	  > $(install_share)/fish/vendor_completions.d/recordctl.fish

uninstall:
	rm -f $(install_bin)/recordctl $(install_bin)/recordctl-serve $(manual_pages:%=$(install_share)/man/man1/%) \
	  $(install_share)/bash-completion/completions/recordctl \
	  $(install_share)/$(zsh_folder)/_recordctl \
	  $(install_share)/fish/vendor_completions.d/recordctl.fish

clean:
	rm -rf .build
