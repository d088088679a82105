import EncodeJobs
import MediaCore
import TestSupport
import Testing

@Suite struct PartNumbersTests {
  @Test(arguments: ["0", "0-3", "0-3,7", "5,6,7-9"]) func part_numbers_survive_parsing_and_printing(
    text: String
  ) throws {
    #expect(try #require(PartNumbers(text)).text == text)
  }

  @Test(arguments: ["", "-1", "3-1", "1,", "1-2-3", "a", "+1", "1 ", "9999999999999999999"])
  func malformed_numbers_are_refused(text: String) { #expect(PartNumbers(text) == nil) }

  @Test(arguments: [
    (["SLURM_ARRAY_TASK_ID": "4"], [4]), (["JOB_COMPLETION_INDEX": "0"], [0]),
    (["AWS_BATCH_JOB_ARRAY_INDEX": "2"], [2]), (["PARALLEL_SEQ": "1"], [0]),
    (["SLURM_ARRAY_TASK_ID": "4", "PARALLEL_SEQ": "5"], [4]),
  ]) func part_numbers_come_from_the_job_engine(environment: [String: String], numbers: [Int])
    throws
  {
    #expect(try PartNumbers(ofEngine: environment).batches(of: 1, limit: 10) == numbers)
  }

  @Test(arguments: [[:], ["PARALLEL_SEQ": "0"], ["SLURM_ARRAY_TASK_ID": "x"]])
  func missing_or_invalid_engine_numbers_are_refused(environment: [String: String]) {
    #expect(throws: EncodeJobError.self) { try PartNumbers(ofEngine: environment) }
  }

  /// An engine within a task of another engine: the outer number would be used for every call.
  @Test func conflicting_engine_numbers_are_refused_and_quoted() throws {
    let error = #expect(throws: EncodeJobError.self) {
      try PartNumbers(ofEngine: ["SLURM_ARRAY_TASK_ID": "4", "PARALLEL_SEQ": "2"])
    }
    #expect(error?.code == .invalidArgument)
    let message = try #require(error?.message)
    #expect(message.contains("SLURM_ARRAY_TASK_ID=4 is part 4, PARALLEL_SEQ=2 is part 1"))
  }

  @Test(
    arguments: [
      ("0-8", 1, nil), ("7-20", 1, "9-20"), ("9", 1, "9"), ("0,9,3,20-30", 1, "9,20-30"),
      ("1", 5, nil), ("0-1", 5, nil), ("1-3", 5, "2-3"), ("0-2", 3, nil), ("3", 3, "3"),
      ("0", .max, nil), ("1", .max, "1"), ("999999999", 1_000_000, "999999999"),
    ] as [(String, Int, String?)]) func part_numbers_beyond_the_plan_are_reported(
      text: String, batch: Int, beyond: String?
    ) throws
  {
    #expect(try #require(PartNumbers(text)).beyond(9, batchesOf: batch)?.text == beyond)
  }

  @Test func a_number_stands_for_the_requested_batch_of_parts() throws {
    let numbers = try #require(PartNumbers("1,3"))
    #expect(numbers.batches(of: 3, limit: 11) == [3, 4, 5, 9, 10])
    #expect(numbers.batches(of: .max, limit: 11).isEmpty)
    #expect(try #require(PartNumbers("0")).batches(of: .max, limit: 2) == [0, 1])
    #expect(try #require(PartNumbers("7")).batches(of: 1, limit: 7).isEmpty)
  }
}
