/**
 * Part of a driver on the cluster that Hearth runs before and after the application, and the exchange of files between the
 * submitter and the driver. Files that do not fit into the secret of a submission are sent to the running driver.
 */
@NullMarked
package dev.hearth.kubernetes.internal.seat;

import org.jspecify.annotations.NullMarked;
