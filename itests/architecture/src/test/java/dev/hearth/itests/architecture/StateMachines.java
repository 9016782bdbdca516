package dev.hearth.itests.architecture;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static dev.hearth.itests.architecture.RoomRules.dependOn;
import static dev.hearth.itests.architecture.RoomRules.forbid;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;

/**
 * The classes that decide and do nothing else: time arrives as an argument, nothing blocks, nothing is sent, nothing is
 * left to chance (docs/decisions.md D1). A new one is one line here; classes nested in it are held to the same.
 */
final class StateMachines {
    static final List<String> NAMES = List.of(
            "dev.hearth.engine.internal.allocation.ExecutorAllocation",
            "dev.hearth.engine.internal.barrier.BarrierRounds",
            "dev.hearth.engine.internal.commit.OutputCommits",
            "dev.hearth.engine.internal.dag.DagScheduler",
            "dev.hearth.engine.internal.dag.JobResults",
            "dev.hearth.engine.internal.dag.MapOutputs",
            "dev.hearth.engine.internal.dag.ShuffleOutputs",
            "dev.hearth.engine.internal.dag.SlotChecks",
            "dev.hearth.engine.internal.dag.Stage",
            "dev.hearth.engine.internal.dag.StageAttempt",
            "dev.hearth.engine.internal.dag.StageGraph",
            "dev.hearth.engine.internal.dag.StageRuns",
            "dev.hearth.engine.internal.driver.ExecutorRegistry",
            "dev.hearth.engine.internal.progress.ProgressLine",
            "dev.hearth.engine.internal.scheduler.Offers",
            "dev.hearth.engine.internal.scheduler.PoolTree",
            "dev.hearth.engine.internal.scheduler.SetExclusion",
            "dev.hearth.engine.internal.scheduler.Speculation",
            "dev.hearth.engine.internal.scheduler.TaskScheduler",
            "dev.hearth.engine.internal.scheduler.TaskSet",
            "dev.hearth.engine.internal.status.StageTable",
            "dev.hearth.kernel.internal.deploy.Deployment",
            "dev.hearth.local.cluster.LocalCluster",
            "dev.hearth.spi.cluster.RestartPause",
            "dev.hearth.standalone.internal.master.Master",
            "dev.hearth.standalone.internal.master.Placement",
            "dev.hearth.standalone.internal.worker.Worker");

    private static final String REASON =
            "the same class runs in production, in a unit test and in simulation (docs/decisions.md D1)";

    private StateMachines() {}

    static List<ArchRule> rules() {
        List<ArchRule> rules = new ArrayList<>();
        for (String machine : NAMES) {
            DescribedPredicate<JavaClass> here =
                    nameMatching(machine.replace(".", "\\.") + "(\\$.*)?").forSubtype();
            rules.add(forbid(here, dependOn(threads()), words(machine, "uses no threads"), REASON));
            rules.add(forbid(here, accessTargetWhere(clock()), words(machine, "reads no clock"), REASON));
            rules.add(forbid(here, dependOn(clocks()), words(machine, "holds no clock"), REASON));
            rules.add(forbid(here, dependOn(chance()), words(machine, "uses no randomness"), REASON));
            rules.add(forbid(here, accessTargetWhere(chanceCall()), words(machine, "draws no random value"), REASON));
            rules.add(forbid(here, dependOn(world()), words(machine, "touches no file, network or process"), REASON));
            rules.add(
                    forbid(here, dependOn(resideInAnyPackage("org.slf4j..")), words(machine, "does not log"), REASON));
        }
        return rules;
    }

    private static String words(String machine, String rule) {
        return "state machine " + machine + ": " + rule;
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
