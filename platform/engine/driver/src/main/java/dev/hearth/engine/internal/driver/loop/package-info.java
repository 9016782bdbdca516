/**
 * The driver of an application: turns actions into jobs, runs their tasks on executors, and serves code and data to
 * executors. {@code EngineService} opens a {@code DriverContext} for each context, and each context has one
 * {@code Driver}. The two schedulers are in the packages {@code dag} and {@code scheduler}; this package connects them
 * with the rest of the driver.
 *
 * <p><b>Parts.</b> Each part uses only the parts above it in this list.
 * <ul>
 *   <li><b>Serving</b> ({@code ServedFiles}, {@code BroadcastServer}, {@code SerialisedStages},
 *       {@code MapOutputUpdates}): the data that executors in other processes fetch or receive: jars, bundles, attached
 *       files, broadcast values, serialised stages and map-output locations.
 *   <li><b>Blocks</b> ({@code BlockLocationRegistry}, {@code ReplicationManager}, {@code ContextCleaner}): the
 *       locations of cached blocks, their replication, the migration of blocks and map outputs, and the removal of data
 *       that the application no longer references.
 *   <li><b>Executors</b> ({@code ExecutorFleet}, {@code ExecutorRegistry}, {@code ExecutorDecommissioner},
 *       {@code DynamicDemand}): admission, heartbeats, loss, decommissioning and dynamic allocation.
 *   <li><b>Racks</b> ({@code HostRacks}): the racks of hosts, looked up in the background.
 *   <li><b>Loop</b> ({@code Driver}, {@code SchedulerShell}, {@code DriverPort}): the event loop, the messages of
 *       executors, and the execution of the schedulers' decisions (effects).
 *   <li><b>Session</b> ({@code DriverContext}, {@code StartedJob}): the API, called on the application's threads.
 * </ul>
 *
 * <p><b>Ownership.</b> One event loop per driver owns scheduling, executors and replication. Messages, timers and other
 * threads post tasks to it. State that other threads also read is in thread-safe classes:
 * {@code BlockLocationRegistry}, {@code SerialisedStages} and {@code SharedVariables}. User code never runs on the
 * event loop. The thread that waits for a job computes the job's result from the task results, one thread merges
 * accumulators, and application threads serialise broadcast values.
 *
 * <p><b>One round.</b> {@code SchedulerShell} passes events to the schedulers and then settles: it performs the effects
 * of both schedulers until none is left. An effect submits a task set, launches a batch of tasks, kills an attempt or
 * completes a job. All events that wait in the event loop's inbox share one round.
 *
 * <p><b>States of an executor</b> ({@code ExecutorRegistry})
 * <pre>
 *   STARTING ----> RUNNING          the executor has fetched the application's code and registers
 *   RUNNING ----> DECOMMISSIONING   its tasks end, its blocks and map outputs migrate, then it stops
 *   any ----> LOST                  failed, unreachable, silent, released or never registered; final for its id
 * </pre>
 *
 * <p><b>Blocks.</b> An executor reports every block that it caches or evicts. A block with fewer replicas than its
 * storage level requires is copied to another executor, preferably on another host. Each executor sends and receives a
 * few copies at once. A source waits while all its targets have that number of copies. Blocks of a locally checkpointed
 * dataset are pinned: they are never evicted.
 *
 * <p><b>Example: an executor is lost while a job runs.</b> Executors A, B and C run the reduce tasks of a job. A also
 * holds the map outputs 0 and 3 of their shuffle, and one of the two replicas of a cached block; B holds the other
 * replica.
 * <ol>
 *   <li>The process of A ends and its connection breaks. {@code ExecutorFleet} launches nothing more on A and waits up
 *       to five seconds for the report of the cluster manager, which knows the exit status.
 *   <li>The report arrives. The cause is FAILED, so the tasks that ran on A are charged with a failure. The id of A is
 *       now LOST for ever.
 *   <li>The task scheduler makes the tasks of A pending again. The stage scheduler drops the map outputs 0 and 3, which
 *       begins a new epoch of the shuffle's locations.
 *   <li>{@code BlockLocationRegistry} removes the blocks of A. {@code ReplicationManager} orders C to fetch the block
 *       with a missing replica from B.
 *   <li>One message reports the loss to B and C, so that their fetches from A fail at once instead of after several
 *       retries.
 *   <li>A reduce task on B ends with a fetch failure. Its task set launches nothing more, and the map stage runs only
 *       tasks 0 and 3 again. After that a new attempt of the reduce stage runs the tasks that have not succeeded. Their
 *       launch carries the new locations as the difference from the epoch that each executor knows.
 *   <li>The driver still requests the same total of executors, so the cluster manager starts executor D. D fetches the
 *       application's code, registers and gets tasks in the next round.
 *   <li>Each partition counts once, even if A is still alive and reports results: the driver ignores messages of a LOST
 *       executor and answers them with an order to stop.
 * </ol>
 */
@NullMarked
package dev.hearth.engine.internal.driver.loop;

import org.jspecify.annotations.NullMarked;
