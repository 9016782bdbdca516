/**
 * Processes in containers of YARN: their launch orders and local directories, without Hadoop.
 *
 * <p>No parent writes launch orders to a process in a container. {@code ContainerOrders} reads them from what its NodeManager
 * gives it: files, the environment, and for secrets the credentials file, which only the user of the process can read.
 */
@NullMarked
package dev.hearth.yarncontainer.internal;

import org.jspecify.annotations.NullMarked;
