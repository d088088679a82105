// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "library-benchmarks",
  dependencies: [.package(name: "prores-recorder", path: "../prores-recorder")],
  targets: [
    .executableTarget(
      name: "library-bench",
      dependencies: [
        .product(name: "MediaLibrary", package: "prores-recorder"),
        .product(name: "QuickTime", package: "prores-recorder"),
        .product(name: "MediaCore", package: "prores-recorder"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
