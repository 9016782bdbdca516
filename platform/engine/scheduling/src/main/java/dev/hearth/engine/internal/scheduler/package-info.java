/**
 * The task scheduler: decides which task runs on which executor, and when. The entry point is {@link TaskScheduler}; it
 * combines the work of Spark's {@code TaskSchedulerImpl} and {@code TaskSetManager}. The package {@code dag} submits the task
 * sets. All state belongs to the driver's loop.
 *
 * <p><b>Terms</b>
 * <ul>
 *   <li><b>Task set</b> ({@link TaskSet}): the tasks of one stage attempt. A task is pending, running or done. It may need
 *       several attempts, one after another; only a speculative copy runs beside the original.
 *   <li><b>Pool</b> ({@link Pool}): a queue of task sets. FIFO orders them by job, then by stage. FAIR shares the cores among
 *       pools: pools below their minimum share first, then by running tasks per weight.
 *   <li><b>Locality wait</b> ({@link LocalityWait}): delay scheduling. A task prefers the executor, host or rack with its
 *       input. Its set accepts only the nearest level at first, and the next one after {@code hearth.locality.wait}. The wait
 *       restarts when every offered core was taken, because then nothing is lost by waiting.
 *   <li><b>Credit</b> ({@link QueueCredit}): the number of tasks queued at an executor beyond its cores. Queued tasks hide the round
 *       trip to the driver: a core starts the next task at once. About four milliseconds of work are queued per core, none
 *       for long tasks and barrier stages.
 *   <li><b>Recall</b> ({@link QueuedTaskRecall}): the return of a queued attempt, because cores elsewhere are free or the executor is
 *       being decommissioned. A recalled task runs elsewhere and is not charged with a failure.
 *   <li><b>Speculation</b> ({@link Speculation}): a copy of a task that runs much longer than the median of its set, on another
 *       host. The first success counts, and the other attempt is killed.
 *   <li><b>Exclusion</b> ({@link TaskSetExclusion}, {@link ApplicationExclusion}): executors and hosts on which tasks failed get no
 *       more attempts of the task, of the set, or for a while of the application.
 *   <li><b>Settling</b>: events only change state. {@link TaskScheduler#settle} then offers the free cores, in one pass for a
 *       whole burst of events.
 * </ul>
 *
 * <p><b>States of a task set</b> ({@link TaskSetState})
 * <pre>
 *   OPEN ----> FROZEN     after a fetch failure: launches nothing more, running tasks count
 *   OPEN, FROZEN ----> OVER   succeeded, failed or cancelled: running tasks are killed and count no more
 *   drained: OVER or FROZEN, and no attempt runs; the set is dropped
 * </pre>
 * An executor is usable unless it is suspended (unreachable or being decommissioned), excluded from the application, or lost.
 *
 * <p><b>Example: a lost executor.</b> Executors A and B have two cores each, and set 3.0 has six tasks.
 * <ol>
 *   <li>Settling launches tasks 0 and 2 on A and tasks 1 and 3 on B. The credit is one task per core before any run time is
 *       known. The two pending tasks are shared out: task 4 is queued at A and task 5 at B.
 *   <li>A crashes. The driver calls {@link TaskScheduler#executorLost} with the cause {@code FAILED}. The cores of A no longer
 *       count as free, and later reports from A are ignored.
 *   <li>Tasks 0 and 2 had begun. They may have caused the crash, so each is charged with a failure. Task 4 was only queued and
 *       is not charged. A preempted or decommissioned executor charges no task at all.
 *   <li>No task has {@code hearth.task.maxFailures} failures yet, so all three are pending again. Tasks to retry are launched
 *       before untried ones. A barrier set would be over instead, and all its tasks would run again.
 *   <li>Executor C registers with two cores, and the next settling launches two of the three tasks there. The third follows as
 *       soon as a task of B or C ends. The attempt number of all three is 1.
 *   <li>Each of the six tasks succeeds once. The set is over and drained, and its plan is dropped at B and C.
 * </ol>
 */
@NullMarked
package dev.hearth.engine.internal.scheduler;

import org.jspecify.annotations.NullMarked;
