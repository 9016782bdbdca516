/**
 * The master of a standalone cluster: decides on which workers drivers and executors run.
 *
 * <p>{@code Master} is a state machine without threads, sockets or clocks. {@code MasterShell} calls it on one event
 * loop: each message or timer becomes a method call, then {@code settle} places what waits and returns the effects to
 * perform. Without a log, state is
 * kept in memory only, and a restarted master begins empty. With one, it goes on with the facts of the master before.
 *
 * <h2>Terms</h2>
 * <ul>
 * <li>A <em>worker</em> offers cores and memory of one host. A <em>driver</em> is an application's main process,
 * submitted in cluster mode. An <em>application</em> is registered by its driver, wherever that runs, and wants
 * executors.
 * <li>A <em>grant</em> is one executor of an application on one worker, with its cores and memory.
 * <li>A <em>peer</em> is one connection. A <em>session</em> is one process of a worker, or one application; it may come
 * back over another connection, and is <em>away</em> until then. A <em>term</em> is the time in which one master leads.
 * <li>An <em>attempt</em> is one start of a driver. The <em>lease</em> of a worker is the time for which it may run
 * supervised drivers after a heartbeat that the master has answered. A driver is <em>fenced</em> until it surely has no
 * process on the worker that it has lost.
 * <li>A <em>watcher</em> is an endpoint of a submitter that receives each change of a driver's state.
 * </ul>
 *
 * <h2>Lifecycles</h2>
 * <ul>
 * <li>Worker: registers, then sends heartbeats. It is away when its connection breaks, and lost if it does not register
 * again within {@code hearth.deploy.workerGrace}, or is silent for longer than {@code hearth.worker.timeout}. When it registers
 * again, the master compares what it runs with what it has ordered.
 * <li>Driver: SUBMITTED until a worker has enough free resources, then RUNNING, then FINISHED, FAILED or KILLED after
 * its exit, or ERROR if it could not be started or its worker is lost. A supervised driver becomes RELAUNCHING instead when
 * it fails, until its worker starts it again with the permission of the master, and when its worker is lost, until it is
 * SUBMITTED again after its fence. A submission carries a request id, so a retry
 * creates no second driver.
 * <li>Application: registers, sets its wanted total of executors, ends when it sends {@code EndApplication} or is away for
 * longer than {@code hearth.deploy.applicationGrace}. It is removed if too many of its executors fail early in a row ({@code
 * hearth.deploy.maxExecutorRetries}).
 * <li>Grant: reserved and ordered at once; freed when the worker reports the exit, when the worker is lost, or when
 * the application ends. An executor that the application releases keeps its resources until its exit. Early exits
 * delay the next grants of that application by an exponential back-off of up to 8 s; released executors do not.
 * </ul>
 *
 * <h2>Placement</h2>
 * Drivers come before executors. Each waiting driver goes to the fitting worker with the most free cores, or to the first
 * one by id ({@code hearth.deploy.spreadOutDrivers}); one that fits nowhere does not block later ones. Applications are then
 * served in order of registration, each as far as its wanted total and its maximum of cores allow. Workers on hosts that its
 * tasks prefer come first, then those of the {@code hearth.deploy.workerSelectionPolicy}. Executors have
 * {@code hearth.executor.cores} cores if that is set; otherwise a worker gets one executor, which grows core by core. Spread
 * out, each worker in turn gets an executor or a core; packed ({@code hearth.deploy.spreadOutApps}), each gets all it holds.
 *
 * <p>No event looks at all workers or applications. {@code WorkerLedger}, {@code ApplicationLedger} and {@code
 * SubmittedDrivers} hold what is so, with its sums; {@code FreeWorkers} orders workers by what they have free; and {@code
 * WaitingLine} groups what waits by its needs. A group without room is closed until a worker with room for it gains
 * something, so that {@code settle} asks only those whose chances or wishes have changed.
 *
 * <h2>A worked failure</h2>
 * Worker W1 runs driver D of application A and one executor each of A and B; worker W2 has free resources. W1's host
 * loses power.
 * <ol>
 * <li>No connection is closed, but W1's heartbeats stop. After 60 s {@code expire} declares W1 lost and closes its
 * connection.
 * <li>D becomes ERROR with the message "worker W1 is lost: no message from it for more than 60 s",
 *     which its watcher prints.
 * <li>A and B each get ExecutorGone with the cause HOST_LOST. B's driver does not charge its tasks with a failure.
 * <li>B still wants as many executors as before, so the same {@code settle} grants it one on W2, without back-off.
 * <li>A's driver died with W1, so A's connection is silent too and is lost. The master removes A and stops its
 * executors on other workers, which have already begun to exit because they lost their driver.
 * <li>W1's host restarts. Its new worker process has a new id and registers as a different, empty worker. If only the
 * network had failed, the old process would reconnect with its session. Within the timeout the master adopts what it runs;
 * after it, the master has it stop what was declared lost.
 * </ol>
 */
@NullMarked
package dev.hearth.standalone.internal.master;

import org.jspecify.annotations.NullMarked;
