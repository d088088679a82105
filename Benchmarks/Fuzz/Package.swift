// swift-tools-version: 6.2

import PackageDescription

let recorder = "prores-recorder"

let package = Package(
  name: "fuzz",
  dependencies: [.package(name: recorder, path: "../prores-recorder")],
  targets: [
    .executableTarget(
      name: "fuzz-readers",
      dependencies: [
        "AssetReader", "MediaCore", "ProRes", "QuickTime", "DNG", "RawPhoto",
        "RawDevelop", "PhotoDevelopment", "VideoRecorder", "Takes", "MovieTools", "HyperDeck",
        "OSC",
      ].map { .product(name: $0, package: recorder) },
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
