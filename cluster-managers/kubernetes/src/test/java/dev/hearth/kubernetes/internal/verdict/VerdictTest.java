package dev.hearth.kubernetes.internal.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.ContainerFacts;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class VerdictTest {
    private static final String OWN = Verdict.EXECUTOR_CONTAINER;
    private static final PodFacts RUNNING = PodFacts.PENDING.on("node-1").in("Running", ContainerFacts.running(OWN));

    private static PodFacts ended(int status, String reason) {
        return RUNNING.in("Failed", ContainerFacts.ended(OWN, status, reason, ""));
    }

    static Stream<Arguments> ends() {
        return Stream.of(
                Arguments.of(
                        "not admitted",
                        PodFacts.PENDING.on("n").because("OutOfcpu", "Node has no cpu"),
                        false,
                        Cause.NEVER_CAME),
                Arguments.of("killed for memory", ended(137, "OOMKilled"), true, Cause.OUT_OF_MEMORY),
                Arguments.of("out of heap", ended(52, "Error"), true, Cause.OUT_OF_MEMORY),
                Arguments.of(
                        "disk of its own",
                        ended(137, "Error")
                                .because(
                                        "Evicted",
                                        "Pod ephemeral local storage usage exceeds the total limit of containers 1Gi"),
                        true,
                        Cause.FAILED),
                Arguments.of(
                        "evicted",
                        ended(137, "Error").because("Evicted", "The node was low on resource: memory."),
                        true,
                        Cause.PREEMPTED),
                Arguments.of(
                        "preempted",
                        RUNNING.disrupted("PreemptionByScheduler").deletingWithin(30),
                        true,
                        Cause.PREEMPTED),
                Arguments.of(
                        "taint", RUNNING.disrupted("DeletionByTaintManager").deletingWithin(30), true, Cause.HOST_LOST),
                Arguments.of(
                        "node lost",
                        RUNNING.because("NodeLost", "Node node-1 is not responding"),
                        true,
                        Cause.HOST_LOST),
                Arguments.of("shut down", ended(137, "Error").because("NodeShutdown", ""), true, Cause.HOST_LOST),
                Arguments.of("deleted, terminated", ended(143, "Error").deletingWithin(30), true, Cause.PREEMPTED),
                Arguments.of("deleted, killed", ended(137, "Error").deletingWithin(30), true, Cause.PREEMPTED),
                Arguments.of("failed while deleted", ended(1, "Error").deletingWithin(30), true, Cause.FAILED),
                Arguments.of("driver lost", ended(56, "Error"), true, Cause.UNREACHABLE),
                Arguments.of("status 1", ended(1, "Error"), true, Cause.FAILED),
                Arguments.of(
                        "status 0",
                        RUNNING.in("Succeeded", ContainerFacts.ended(OWN, 0, "Completed", "")),
                        true,
                        Cause.FAILED),
                Arguments.of("vanished", RUNNING, true, Cause.PREEMPTED),
                Arguments.of("vanished before it ran", PodFacts.PENDING, false, Cause.NEVER_CAME));
    }

    static Stream<Arguments> silentNodes() {
        return Stream.of(
                Arguments.of("it runs", RUNNING.withNodeSilent(true), Cause.HOST_LOST),
                Arguments.of("deleted", RUNNING.withNodeSilent(true).deletingWithin(30), Cause.HOST_LOST),
                Arguments.of("ended before", ended(1, "Error").withNodeSilent(true), Cause.FAILED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("silentNodes")
    void tellsTheLossOfASilentNode(String name, PodFacts pod, Cause cause) {
        assertEquals(cause, Verdict.of("app-exec-1", pod, true).cause());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ends")
    void tellsTheCause(String name, PodFacts pod, boolean ran, Cause cause) {
        assertEquals(cause, Verdict.of("app-exec-1", pod, ran).cause());
    }

    @Test
    void saysWhatTheUserNeeds() {
        LostExecutor lost = Verdict.of("app-exec-1", ended(137, "OOMKilled"), true);

        assertEquals(OptionalInt.of(137), lost.exitStatus());
        assertTrue(lost.reason().contains("pod app-exec-1 on node node-1"), lost.reason());
        assertTrue(lost.reason().contains("hearth.executor.memoryOverhead"), lost.reason());
    }

    @Test
    void namesAnInitContainerThatFailed() {
        PodFacts pod = new PodFacts(
                "Failed",
                "",
                "",
                "node-1",
                "",
                false,
                0,
                "",
                "",
                List.of(ContainerFacts.ended("fetch", 3, "Error", "no such file")
                        .asInit()),
                false);
        LostExecutor lost = Verdict.of("app-exec-1", pod, false);

        assertEquals(Cause.NEVER_CAME, lost.cause());
        assertTrue(lost.reason().contains("fetch (an init container) ended with exit status 3"), lost.reason());
        assertTrue(lost.reason().contains("no such file"), lost.reason());
    }

    @Test
    void tellsHopelessImagesFromLateOnes() {
        PodFacts late = waiting("ImagePullBackOff", "Back-off pulling image: i/o timeout");
        PodFacts missing = waiting("ErrImagePull", "manifest unknown");

        assertFalse(Verdict.isHopeless(late, OWN));
        assertTrue(Verdict.isHopeless(missing, OWN));
        assertTrue(Verdict.isHopeless(waiting("InvalidImageName", ""), OWN));
        assertEquals(
                "ErrImagePull: manifest unknown",
                Verdict.hindrance(missing, OWN).orElseThrow());
        assertTrue(Verdict.hindrance(waiting("ContainerCreating", ""), OWN).isEmpty());
    }

    private static PodFacts waiting(String reason, String message) {
        return PodFacts.PENDING.on("node-1").in("Pending", ContainerFacts.waiting(OWN, reason, message));
    }
}
