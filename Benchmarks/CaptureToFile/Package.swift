// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "capture-benchmarks",
  dependencies: [.package(name: "prores-recorder", path: "../prores-recorder")],
  targets: [
    .target(name: "AllocationCount"),
    .executableTarget(
      name: "capture-to-file",
      dependencies: [
        "AllocationCount",
        .product(name: "AssetWriter", package: "prores-recorder"),
        .product(name: "MediaCore", package: "prores-recorder"),
        .product(name: "QuickTime", package: "prores-recorder"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
