/**
 * The task scheduler: decides which task runs on which executor, and when. The entry point is {@link TaskScheduler}; it
 * combines the work of Spark's {@code TaskSchedulerImpl} and {@code TaskSetManager}. The package {@code dag} submits
 * the task sets. All state belongs to the driver's event loop.
 *
 * <p><b>Terms</b>
 * <ul>
 *   <li><b>Task set</b> ({@link TaskSet}): the tasks of one stage attempt. A task is pending, running or done. It may
 *       need several attempts, one after another; only a speculative copy runs at the same time as the original.
 *   <li><b>Pool</b> ({@link Pool}): a queue of task sets. FIFO orders them by job, then by stage. FAIR shares the cores
 *       among pools. Pools below their minimum share come first; the others follow by running tasks per weight.
 *   <li><b>Locality wait</b> ({@link LocalityWait}): delay scheduling. A task prefers the executor, host or rack with
 *       its input. Its set accepts only the nearest level at first, and the next one after
 *       {@code hearth.locality.wait}. The wait restarts when every offered core was taken, because waiting costs
 *       nothing then.
 *   <li><b>Credit</b> ({@link QueueCredit}): the number of tasks queued at an executor beyond its cores. Queued tasks
 *       let a core start its next task at once, without waiting for a message from the driver. About four milliseconds
 *       of work are queued per core; long tasks and tasks of barrier stages are not queued.
 *   <li><b>Recall</b> ({@link QueuedTaskRecall}): the return of a queued attempt, because cores elsewhere are free or the executor is
 *       being decommissioned. A recalled task runs elsewhere and is not charged with a failure.
 *   <li><b>Speculation</b> ({@link Speculation}): a copy of a slow task on another host. A task is slow if it runs much
 *       longer than the median of its task set. The first success counts, and the other attempt is killed.
 *   <li><b>Exclusion</b> ({@link TaskSetExclusion}, {@link ApplicationExclusion}): executors and hosts on which tasks
 *       failed get no more attempts of that task or of its task set. After repeated failures, they get no tasks of the
 *       application for a while.
 *   <li><b>Settling</b>: events only change state. {@link TaskScheduler#settle} then offers the free cores to task
 *       sets, in one pass for all events that arrived together.
 * </ul>
 *
 * <p><b>States of a task set</b> ({@link TaskSetState})
 * <pre>
 *   OPEN ----> FROZEN     after a fetch failure: launches nothing more, running tasks count
 *   OPEN, FROZEN ----> OVER   succeeded, failed or cancelled: running tasks are killed and count no more
 *   drained: OVER or FROZEN, and no attempt runs; the set is dropped
 * </pre>
 * An executor is usable unless it is suspended (unreachable), being decommissioned, excluded from the application, or
 * lost. Only the decommissioning and the exclusion can end.
 *
 * <p><b>Example: a lost executor.</b> Executors A and B have two cores each, and task set 3.0 has six tasks.
 * <ol>
 *   <li>Settling launches tasks 0 and 2 on A and tasks 1 and 3 on B. The credit is one task per core before any run
 *       time is known. The two pending tasks are distributed: task 4 is queued at A and task 5 at B.
 *   <li>Executor A crashes. The driver calls {@link TaskScheduler#executorLost} with the cause {@code FAILED}. The
 *       cores of A no longer count as free, and later reports from A are ignored.
 *   <li>Tasks 0 and 2 had begun. They may have caused the crash, so each is charged with a failure. Task 4 was only
 *       queued and is not charged. If an executor was preempted or decommissioned, no task is charged.
 *   <li>No task has {@code hearth.task.maxFailures} failures yet, so all three are pending again. Tasks to retry are
 *       launched before tasks that were never tried. A barrier task set would end here, and all its tasks would run
 *       again.
 *   <li>Executor C registers with two cores, and the next settling launches two of the three tasks there. The third follows as
 *       soon as a task of B or C ends. The attempt number of all three is 1.
 *   <li>Each of the six tasks succeeds once. The task set is over and drained, and B and C drop its plan.
 * </ol>
 */
@NullMarked
package dev.hearth.engine.internal.scheduler;

import org.jspecify.annotations.NullMarked;
