/**
 * Extension point for cluster managers, and the services of the driver that they may use.
 * <p>A bundle implements {@code ClusterManager}, registered as a service with its master URL scheme, and one
 * {@code SchedulerBackend} per application. The kernel implements {@code ClusterManagers}, which finds and pins the
 * manager for a master URL. The engine calls the backend and implements {@code DriverServices},
 * {@code ExecutorListener} and {@code ExecutorHost}. Front ends call {@code submit}, {@code status} and {@code kill}.
 * <p>An application opens a backend, sets its demand with {@code want}, and learns of executors through the listener:
 * {@code started}, then {@code lost}, with {@code leaving} in between where the cluster announces the loss, and {@code
 * staying} where it withdraws the announcement. {@code hindered} says why no executors start. If the driver cannot
 * reach an executor, it calls {@code doubted} on the backend. A {@code RackResolver} names the racks of hosts. The
 * engine itself assigns, launches and retries tasks. {@code DriverOrders} and {@code ExecutorOrders} encode what a manager passes to
 * the processes it starts.
 * <p>Threads: the engine calls backends on the application's event loop, so calls must not block. Backends report
 * events as separate actions of the same loop, never from inside a call. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.cluster;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
