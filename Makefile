# make record   ten seconds from the best device here, verified, with a report
# make serve    the same device in a browser: also builds the gateway, and prints a link
# make test     every test that this machine can run
# See the README.

PREFIX ?= /usr/local
DESTDIR ?=
# Added to the command line of `make record`: RECORD_OPTIONS="--device pattern:clock"
RECORD_OPTIONS ?=
MOVIE ?= recording.mov

SWIFT ?= swift
VERSION := $(shell scripts/version)
recordctl = .build/release/recordctl
recordctl_serve = .build/release/recordctl-serve
# Added to the command line of `make serve`: SERVE_OPTIONS="--listen 0.0.0.0:8437"
SERVE_OPTIONS ?=
swift_folders = Package.swift $(wildcard Sources Tests Benchmarks Plugins)
install_bin = $(DESTDIR)$(PREFIX)/bin
install_share = $(DESTDIR)$(PREFIX)/share
# Where zsh looks below /usr/local; a Debian package uses another folder.
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

# Includes slow tests: long recordings, every format. Also compiles all modules optimized, since `make record`
# builds only a part of them, and checks that the programs in Benchmarks still compile.
test-all:
	@scripts/install-packages build
	$(SWIFT) build -c release
	@TEST_ALL=1 TEST_TIMEOUT=7200 scripts/run-tests
	@scripts/check-benchmarks

# Compares the encoders, in about two minutes. Benchmarks has more measurements: the cost of a frame apart from
# encoding, quality, recording in real time.
bench: build
	$(recordctl) bench $(BENCH_OPTIONS)

# Compares the encoders' speed with Benchmarks/thresholds.json; run it yourself on an idle machine.
bench-check: build
	Benchmarks/check-thresholds $(recordctl)

format:
	$(SWIFT) format --in-place --configuration .swift-format --recursive $(swift_folders)

lint:
	@scripts/install-packages lint
	$(SWIFT) format lint --strict --configuration .swift-format --recursive $(swift_folders)
	scripts/lint-texts

# The libraries' reference as a static site, in .build/docs.
docs:
	@scripts/install-packages build
	scripts/build-docs

# A Debian package in .build/deb, which needs no Swift toolchain where it is installed.
deb: export PACKAGE_FOLDER = .build/deb
deb:
	@scripts/install-packages build deb
	mkdir -p .build/deb
	rm -f .build/deb/recordctl_*.deb
	dpkg-checkbuilddeps
	debian/rules clean
	debian/rules binary
	lintian --fail-on error .build/deb/recordctl_*.deb

# The manual pages, from the help texts and docs/man/sections; a test fails if they are out of date.
manual-pages: build
	scripts/manual-pages $(recordctl)

# Builds nothing, so root needs no toolchain.
install:
	@test -x $(recordctl) || { echo "$(recordctl) is missing; run make build first" >&2; exit 1; }
	install -D -m 755 $(recordctl) $(install_bin)/recordctl
	# The gateway, if `make serve` has built it.
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
