/**
 * Submission of an application whose driver runs on the cluster. {@link Submission} decides, {@link SubmissionShell} sends
 * its requests; {@link Submitter} prepares the objects, and {@link DriverQueries} answers questions about drivers.
 *
 * <p>Terms. The <i>secret</i> of a submission holds the launch orders and the files of the driver, and owns the service and
 * the network policy. <i>Adoption</i> is the patch that makes the driver's pod the owner of the secret. Whatever dies
 * before adoption leaves one secret with the label {@code hearth.dev/pending}, and what it owns; the sweep finds it.
 *
 * <p>States: PREPARED -> PLACING_SECRET -> PLACING_DRIVER -> ADOPTING -> ACCEPTED; every state before ACCEPTED -> UNDOING ->
 * REFUSED. A worked failure: the answer to the request for the driver's pod is lost and the user presses Ctrl-C. The secret
 * is marked as cancelled, the pod is read; if it exists, it is deleted with its uid, then the secret. If it does not exist,
 * the request may still arrive, so that the marked secret stays and the next sweep deletes both.
 */
@NullMarked
package dev.hearth.kubernetes.internal.submission;

import org.jspecify.annotations.NullMarked;
