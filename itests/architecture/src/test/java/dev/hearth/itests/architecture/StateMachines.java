package dev.hearth.itests.architecture;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static dev.hearth.itests.architecture.ModuleRules.dependOn;
import static dev.hearth.itests.architecture.ModuleRules.forbid;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules of state machines: time is an argument; they start no thread, send no message, never block and draw no
 * random number (docs/decisions.md D1). They hold for every class of the engine's scheduling layer, and elsewhere for
 * the classes named here with their nested classes.
 */
final class StateMachines {
    static final List<String> NAMES = List.of(
            "dev.hearth.engine.internal.driver.executors.ExecutorRegistry",
            "dev.hearth.status.progress.ProgressLine",
            "dev.hearth.status.store.StageTable",
            "dev.hearth.kernel.internal.boot.OrdersWait",
            "dev.hearth.kernel.internal.deploy.Deployment",
            "dev.hearth.kubernetes.internal.client.Renewal",
            "dev.hearth.kubernetes.internal.executors.FailureBudget",
            "dev.hearth.kubernetes.internal.executors.Pace",
            "dev.hearth.kubernetes.internal.executors.PodAllocator",
            "dev.hearth.kubernetes.internal.mirror.Mirror",
            "dev.hearth.kubernetes.internal.placement.Placement",
            "dev.hearth.kubernetes.internal.verdict.Verdict",
            "dev.hearth.kubernetes.internal.volumes.VolumePool",
            "dev.hearth.local.cluster.LocalCluster",
            "dev.hearth.spi.cluster.RestartBackoff",
            "dev.hearth.standalone.internal.master.Master",
            "dev.hearth.submission.internal.gateway.GatewayRequests",
            "dev.hearth.standalone.internal.master.ExecutorPlacement",
            "dev.hearth.standalone.internal.worker.Worker",
            "dev.hearth.yarn.internal.allocator.Allocator",
            "dev.hearth.yarn.internal.allocator.AskPlanner",
            "dev.hearth.yarn.internal.allocator.Beats",
            "dev.hearth.yarn.internal.allocator.ContainerTable",
            "dev.hearth.yarn.internal.allocator.Departures",
            "dev.hearth.yarn.internal.allocator.ExitMeaning",
            "dev.hearth.yarn.internal.allocator.FailureWindows",
            "dev.hearth.yarn.internal.allocator.HeadroomBound",
            "dev.hearth.yarn.internal.allocator.HostExclusion",
            "dev.hearth.yarn.internal.allocator.LocalityPlacement",
            "dev.hearth.yarn.internal.allocator.Obstacles");

    private static final String REASON =
            "the same class runs in production, in a unit test and in simulation (docs/decisions.md D1)";

    private StateMachines() {}

    static List<ArchRule> rules() {
        List<ArchRule> rules = new ArrayList<>();
        for (String machine : NAMES) {
            rules.addAll(rules(
                    "state machine " + machine,
                    nameMatching(machine.replace(".", "\\.") + "(\\$.*)?").forSubtype()));
        }
        EngineLayer scheduling = EngineLayer.SCHEDULING;
        rules.addAll(rules("state machines " + scheduling, resideInAnyPackage(scheduling.packages())));
        return rules;
    }

    private static List<ArchRule> rules(String who, DescribedPredicate<JavaClass> here) {
        return List.of(
                forbid(here, dependOn(threads()), who + ": uses no threads", REASON),
                forbid(here, accessTargetWhere(clock()), who + ": reads no clock", REASON),
                forbid(here, dependOn(clocks()), who + ": holds no clock", REASON),
                forbid(here, dependOn(chance()), who + ": uses no randomness", REASON),
                forbid(here, accessTargetWhere(chanceCall()), who + ": draws no random value", REASON),
                forbid(here, dependOn(world()), who + ": touches no file, network or process", REASON),
                forbid(here, dependOn(resideInAnyPackage("org.slf4j..")), who + ": does not log", REASON));
    }

    private static DescribedPredicate<JavaClass> threads() {
        return resideInAnyPackage("java.util.concurrent..", "dev.hearth.spi.loop..")
                .or(type(Thread.class))
                .or(type(ThreadLocal.class))
                .or(type(java.util.Timer.class));
    }

    private static DescribedPredicate<JavaClass> clocks() {
        return resideInAnyPackage("dev.hearth.spi.time..").or(type(java.time.Clock.class));
    }

    private static DescribedPredicate<JavaAccess<?>> clock() {
        return targetOwner(type(System.class))
                .and(target(nameMatching("nanoTime|currentTimeMillis")))
                .or(targetOwner(resideInAnyPackage("java.time..")).and(target(name("now"))));
    }

    private static DescribedPredicate<JavaClass> chance() {
        return resideInAnyPackage("java.util.random..")
                .or(type(java.util.Random.class))
                .or(type(java.util.SplittableRandom.class))
                .or(type(java.security.SecureRandom.class));
    }

    private static DescribedPredicate<JavaAccess<?>> chanceCall() {
        return targetOwner(type(Math.class).or(type(StrictMath.class)).or(type(java.util.UUID.class)))
                .and(target(nameMatching("random|randomUUID")));
    }

    private static DescribedPredicate<JavaClass> world() {
        return resideInAnyPackage("java.io..", "java.net..", "java.nio.channels..", "io.netty..")
                .or(type(java.nio.file.Files.class))
                .or(type(Process.class))
                .or(type(ProcessBuilder.class))
                .or(type(Runtime.class));
    }
}
