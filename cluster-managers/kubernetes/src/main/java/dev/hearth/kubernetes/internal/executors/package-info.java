/**
 * Executors of one application as pods. {@link PodAllocator} decides; {@link KubernetesBackend} owns it, sends its
 * requests and reports to the driver.
 *
 * <p>A slot is one executor that was requested: WAITING for claims of volumes, if it has some -> CREATING -> CREATED -> SCHEDULED -> RUNNING -> LEAVING -> ENDING. A request
 * without an answer makes it UNSURE: the same request is repeated, and a pod of that name with our nonce counts as success.
 * {@link Pace} bounds requests under way, {@link FailureBudget} failures.
 *
 * <p>The allocator consists of parts without clocks and effects of their own: {@link PodProgress} follows pods by what the
 * cluster reports, {@link ExecutorEnds} decides what an end counts as, {@link CreationFailures} what a refused request means,
 * {@link SlotVolumes} waits for claims of volumes,
 * {@link Deletions} gathers pods to delete, {@link Closing} ends the application, {@link WakePlan} asks for the next wake.
 *
 * <p>Several drivers of one application may follow one another: the anchor says which one is the current one, {@link
 * EarlierPods} deletes the pods of the others, and {@link Adoption} gives pods to an anchor that was created again.
 *
 * <p>A worked failure: a node dies. Its pods are reported as lost with the cause HOST_LOST, or the driver's connection
 * breaks first. The wanted number exceeds the live slots, so that new pods are requested at once; the lost ones are
 * deleted by one request.
 */
@NullMarked
package dev.hearth.kubernetes.internal.executors;

import org.jspecify.annotations.NullMarked;
