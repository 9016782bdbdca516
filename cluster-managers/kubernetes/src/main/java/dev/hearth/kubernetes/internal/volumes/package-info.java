/**
 * Claims on demand: persistent volumes that Hearth requests for executors. {@link VolumePool} decides which claim an executor
 * gets; the package of executors owns it and sends its requests.
 *
 * <p>A claim is PLANNED -> CREATING -> FREE -> ASSIGNED, and FREE again once the pod of its executor was seen gone. It exists
 * before the pod that mounts it. A free claim that was used is listed before its reuse, because another user may have
 * deleted it. What is not needed is RETIRING, then GONE.
 *
 * <p>A worked failure: the request for a pod has no answer, and the executor is not wanted any more. Its pod may or may not
 * exist, so its claims are deleted and not given to another executor: the cluster keeps a claim as long as a pod has it.
 */
@NullMarked
package dev.hearth.kubernetes.internal.volumes;

import org.jspecify.annotations.NullMarked;
