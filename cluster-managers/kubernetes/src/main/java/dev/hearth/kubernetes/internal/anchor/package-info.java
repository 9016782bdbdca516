/**
 * Hold of a driver on its application: one secret, the anchor, says which driver is the current one.
 *
 * <p>Terms. The <i>anchor</i> is the secret with the launch orders of the executors. Outside a pod it owns the executors'
 * pods, so that the cluster deletes them with it; the driver renews it, and the sweep deletes an anchor without renewals.
 * In a pod it belongs to the driver's pod. The <i>epoch</i> is the number of the driver among those that the application
 * has had; it is an annotation of the anchor and a label of each pod. The <i>holder</i> is the driver whose nonce is the
 * anchor's label.
 *
 * <p>States of {@link Anchor}: PLACING -> HELD -> RENEWING -> HELD ... -> RELEASED. An anchor that exists already is taken
 * over (TAKING) by a patch that names the version it was read with. An anchor that a stranger deletes is LOST; it is created
 * again, and its pods are adopted by patches. A driver that finds a later holder is SUPERSEDED: it ends and deletes nothing.
 * A driver that sees pods of another one with its own epoch raises its epoch, by a patch that succeeds for the holder alone.
 *
 * <p>A worked failure: the container of a driver on the cluster is killed and starts again. Its anchor exists with epoch 1.
 * The new driver takes it with epoch 2, lists the pods of the application, deletes those of epoch 1 by one request, and
 * numbers its executors from 100,001 on.
 */
@NullMarked
package dev.hearth.kubernetes.internal.anchor;

import org.jspecify.annotations.NullMarked;
