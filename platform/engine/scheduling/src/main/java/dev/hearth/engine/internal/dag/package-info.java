/**
 * The stage scheduler: turns jobs into stages, runs stages in dependency order and recomputes lost map outputs. The
 * entry point is {@link DagScheduler}, the counterpart of Spark's class of that name. The package {@code scheduler}
 * places the tasks of a stage on executors. All state belongs to the driver's event loop.
 *
 * <p><b>Terms</b>
 * <ul>
 *   <li><b>Job</b> ({@link JobSpec}): the work of one action. Its plan lists stages, parents first and one result stage last.
 *       A job ends once: with all requested results or with one failure.
 *   <li><b>Stage</b> ({@link Stage}): tasks that run the same code on different partitions and exchange no data with
 *       each other. A map stage writes the outputs of one shuffle; all jobs that read the shuffle share the stage. A
 *       result stage belongs to one job.
 *   <li><b>Stage attempt</b> ({@link StageAttempt}): one submission of a stage's missing partitions as a task set. Each attempt
 *       runs only what is missing when it starts. Late successes of earlier attempts still count.
 *   <li><b>Missing parents</b>: the parents of a stage whose map outputs are incomplete. A stage starts once it has none. A
 *       stage whose partitions were all cached when it was planned starts its first attempt without its parents.
 *   <li><b>Map output location</b> ({@link MapOutputLocation}): the executor that stores the output of one map task.
 *       {@link ShuffleStatus} registers the locations of one shuffle. An epoch numbers their changes, so that executors receive
 *       differences instead of full tables.
 *   <li><b>Fetch failure</b>: a task could not fetch a map output. The failure names shuffle, map task and executor. It
 *       unregisters that output and all others on the executor, fails the reader's attempt, and leads to a retry of both
 *       stages.
 *   <li><b>Generation</b>: the number of stage attempts started so far. Each attempt has its own number, and a map
 *       output has the number that was current at its registration. A fetch failure unregisters only outputs with a
 *       smaller generation than the failed attempt. So a late failure cannot unregister outputs that were recomputed
 *       after the attempt had started.
 *   <li><b>Planned removal</b>: outputs were lost or moved by decommissioning, migration or preemption. A fetch failure that
 *       a planned removal explains does not count towards {@code hearth.stage.maxConsecutiveAttempts}.
 * </ul>
 *
 * <p><b>States of a stage</b> ({@link StageState})
 * <pre>
 *   IDLE ----> WAITING ----> RUNNING ----> IDLE       complete, or partitions lost while it ran
 *    |  `-------------------^   |
 *    `------> RETRYING &lt;-------'                      fetch failure, broken barrier, or lost outputs
 *                 `-----------> IDLE                  after the retry delay; starts again if still needed
 *   each state leads to OVER once no job needs the stage
 * </pre>
 *
 * <p><b>Example: a fetch failure with two stages.</b> A job has map stage 0 (shuffle 1, partitions 0 to 2) and result stage 1.
 * <ol>
 *   <li>The parent of stage 1 has not run, so stage 1 waits. Stage 0 runs as attempt 0.0 in generation 1.
 *   <li>Partitions 0 and 2 succeed on executor A and partition 1 on B; all are registered with generation 1. The shuffle is
 *       complete: stage 0 is idle, and stage 1 runs as attempt 1.0 in generation 2.
 *   <li>A task of attempt 1.0 cannot fetch output 0 from A. Outputs 0 and 2 are unregistered, because they are on A and
 *       older than generation 2. Both stages wait for a retry. More fetch failures of 1.0 within the delay of 200 ms
 *       start no further retry.
 *   <li>The delay is over. Stage 0 runs as attempt 0.1 in generation 3, with partitions 0 and 2 only. Stage 1 waits.
 *   <li>Executor B reports both outputs, and stage 1 runs as attempt 1.1. A late failure of 1.0 no longer matters: 1.0
 *       is not the newest attempt, and the new outputs have generation 3. A late result of 1.0 is delivered, because
 *       results do not depend on the attempt.
 *   <li>All results are delivered, and the job completes. The accumulator updates of partitions 0 and 2 were merged
 *       once, at their first success. After four such failures in a row, the job would fail with {@code STAGE_FAILED}.
 * </ol>
 */
@NullMarked
package dev.hearth.engine.internal.dag;

import dev.hearth.engine.internal.plan.MapOutputLocation;
import org.jspecify.annotations.NullMarked;
