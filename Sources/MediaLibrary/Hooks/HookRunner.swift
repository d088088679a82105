import FoundationEssentials
import Subprocess
import SystemPackage

/// Runs hooks one after another, each with the asset on standard input and in the environment.
struct HookRunner: Sendable {
  /// The executables, in order.
  var hooks: [String]
  /// How long each may take.
  var timeLimit: Duration

  private static let outputLimit = 64 << 10

  /// Runs all hooks for an asset. A hook that fails does not keep the next one from running.
  func run(for asset: AssetSummary) async -> [HookReport] {
    var reports: [HookReport] = []
    for hook in hooks { reports.append(await run(hook, asset)) }
    return reports
  }

  /// What a hook printed, as far as it is kept.
  private struct Output: Sendable {
    var bytes: [UInt8] = []
    var isCut = false
  }

  private enum Ending: Sendable {
    case ended(TerminationStatus, Output)
    case failed(String)
    case tookTooLong
  }

  private func run(_ hook: String, _ asset: AssetSummary) async -> HookReport {
    let clock = ContinuousClock()
    let start = clock.now
    var ending = Ending.tookTooLong
    var isLate = false
    await withTaskGroup(of: Ending.self) { group in
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      group.addTask {
        defer { start.finish() }
        return await Self.execute(hook, asset) { start.yield() }
      }
      group.addTask { [timeLimit] in
        // The limit counts from the hook's start, however busy this process is.
        for await _ in started { break }
        try? await Task.sleep(for: timeLimit)
        return .tookTooLong
      }
      for await result in group {
        if case .tookTooLong = result {
          // Either it is late, or it has ended and this is the clock that was stopped.
          if case .tookTooLong = ending { isLate = true }
        } else {
          ending = result
        }
        group.cancelAll()
      }
    }
    let took = (clock.now - start) / .seconds(1)
    return report(hook, asset, ending, isLate: isLate, took)
  }

  private func report(
    _ hook: String, _ asset: AssetSummary, _ ending: Ending, isLate: Bool, _ took: Double
  ) -> HookReport {
    var report = HookReport(
      hook: hook, asset: asset.identifier, outcome: .failed, status: nil, duration: took,
      output: "", isOutputCut: false)
    switch ending {
    case .tookTooLong: break
    case .failed(let reason):
      report.outcome = .notStarted
      report.output = reason
    case .ended(let status, let output):
      report.output = String(decoding: output.bytes, as: UTF8.self)
      report.isOutputCut = output.isCut
      switch status {
      case .exited(let code): report.status = code
      case .signaled(let number): report.status = 128 + number
      }
      report.outcome = status.isSuccess ? .succeeded : .failed
    }
    if isLate { report.outcome = .timedOut }
    return report
  }

  private static func execute(
    _ hook: String, _ asset: AssetSummary, didStart: @escaping @Sendable () -> Void
  ) async -> Ending {
    var options = PlatformOptions()
    // A group of its own, so that what the hook started ends with it.
    options.processGroupID = 0
    options.teardownSequence = [
      .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: .seconds(2)),
      .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .seconds(1)),
    ]
    var environment: [Environment.Key: String?] = [:]
    for (name, value) in asset.environment {
      environment[Environment.Key(stringLiteral: name)] = value
    }
    do {
      // A file and not a pipe: that would end the process where a hook does not read it.
      let input = try MemoryFile.open(holding: asset.json)
      let result = try await Subprocess.run(
        .path(FilePath(hook)), environment: .inherit.updating(environment),
        workingDirectory: FilePath(asset.library), platformOptions: options,
        input: .fileDescriptor(input, closeAfterSpawningProcess: true), output: .sequence,
        error: .combinedWithOutput
      ) { execution in
        didStart()
        var output = Output()
        for try await chunk in execution.standardOutput {
          let room = outputLimit - output.bytes.count
          chunk.withUnsafeBytes { output.bytes += $0.prefix(room) }
          if chunk.count > room { output.isCut = true }
        }
        return output
      }
      return .ended(result.terminationStatus, result.closureResult)
    } catch is CancellationError {
      return .tookTooLong
    } catch {
      return .failed("\(error)")
    }
  }
}
