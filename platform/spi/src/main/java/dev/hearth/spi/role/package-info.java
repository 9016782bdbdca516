/**
 * Main programs of processes. A role is the kind of a process: master, worker, driver, executor, submit, shell and so
 * on.
 * <p>A bundle implements {@code RoleMain} and registers it with the name of its role. {@code bin/hearth ROLE} starts a
 * kernel, which selects the role's bundles, waits for the {@code RoleMain} service and runs it. The role receives its
 * arguments, settings and launch orders (key-value pairs for this process) in a {@code RoleLaunch}. The orders come from
 * a parent process, or from an {@code OrdersSource}: a file, or a service of a bundle.
 * <p>Threads: {@code run} is called once on the main thread and may block; {@code stop} is called on another thread
 * when the process is asked to end. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.role;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
