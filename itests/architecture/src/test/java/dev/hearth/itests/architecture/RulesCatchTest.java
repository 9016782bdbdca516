package dev.hearth.itests.architecture;

import static dev.hearth.itests.architecture.Fixture.cycle;
import static dev.hearth.itests.architecture.Fixture.doing;
import static dev.hearth.itests.architecture.Fixture.using;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that each rule rejects a class that breaks it, with the rule's words, and accepts a class that keeps it. */
class RulesCatchTest {
    private static final List<ArchRule> RULES = ModuleRules.all();
    private static final String CONTRACT = "[platform/api, platform/spi]";
    private static final String WITH_HADOOP = "[platform/api, platform/spi, bundles/hadoop-client]";
    private static final String BELOW_ENGINE = "[platform/api, platform/spi, platform/status]";
    private static final String SCHEDULING = "state machines platform/engine/scheduling";
    private static final String INTERNAL = "dev.hearth.engine.internal.";

    static Stream<Arguments> wrongModulesOfThePlatform() {
        return Stream.of(
                module("dev.hearth.api.Wrong", "dev.hearth.spi.Used", "platform/api", "[]"),
                module("dev.hearth.spi.Wrong", "dev.hearth.rpc.Used", "platform/spi", "[platform/api]"),
                module("dev.hearth.rpc.Wrong", "dev.hearth.kernel.Used", "platform/rpc", CONTRACT),
                module("dev.hearth.rpc.Wrong", "dev.hearth.yarn.Used", "platform/rpc", CONTRACT),
                module("dev.hearth.engine.Wrong", "dev.hearth.local.Used", "platform/engine", BELOW_ENGINE),
                module("dev.hearth.engine.Wrong", "dev.hearth.rpc.Used", "platform/engine", BELOW_ENGINE),
                module("dev.hearth.status.Wrong", "dev.hearth.engine.Used", "platform/status", CONTRACT),
                module("dev.hearth.kernel.Wrong", "dev.hearth.engine.Used", "platform/kernel", CONTRACT),
                module("dev.hearth.kernel.Wrong", "dev.hearth.standalone.Used", "platform/kernel", CONTRACT),
                module("dev.hearth.testkit.Wrong", "dev.hearth.engine.Used", "platform/testkit", CONTRACT),
                wrong(
                        using("dev.hearth.engine.Wrong", "dev.hearth.testkit.Used"),
                        "platform/engine: imports no module but " + BELOW_ENGINE,
                        "platform/engine: does not use the test kit"),
                wrong(
                        using("dev.hearth.embedded.Wrong", "dev.hearth.engine.internal.Used"),
                        "platform/embedded: imports no module but [platform/api, platform/spi, platform/engine,"
                                + " bundles/submission, cluster-managers/local]",
                        "platform/engine: no other module imports its internal packages"));
    }

    static Stream<Arguments> wrongModulesBehindIt() {
        String shell = "[platform/api, platform/spi, bundles/submission]";
        return Stream.of(
                module("dev.hearth.local.Wrong", "dev.hearth.standalone.Used", "cluster-managers/local", CONTRACT),
                module("dev.hearth.local.Wrong", "dev.hearth.engine.Used", "cluster-managers/local", CONTRACT),
                module("dev.hearth.standalone.Wrong", "dev.hearth.rpc.Used", "cluster-managers/standalone", CONTRACT),
                module(
                        "dev.hearth.standalone.Wrong",
                        "dev.hearth.kernel.Used",
                        "cluster-managers/standalone",
                        CONTRACT),
                module("dev.hearth.yarn.Wrong", "dev.hearth.submission.api.Used", "cluster-managers/yarn", WITH_HADOOP),
                module("dev.hearth.submission.Wrong", "dev.hearth.engine.Used", "bundles/submission", CONTRACT),
                module("dev.hearth.shell.submit.Wrong", "dev.hearth.kernel.Used", "shells/submit", shell),
                module("dev.hearth.shell.submit.Wrong", "dev.hearth.submission.Used", "shells/submit", shell),
                module("dev.hearth.examples.Wrong", "dev.hearth.spi.Used", "distribution/examples", "[platform/api]"),
                wrong(
                        using("dev.hearth.hadoop.fs.Wrong", "dev.hearth.submission.internal.Used"),
                        "bundles/hadoop-fs: imports no module but " + WITH_HADOOP,
                        "bundles/submission: no other module imports its internal packages"),
                wrong(
                        using("dev.hearth.shell.submit.Wrong", "dev.hearth.submission.internal.Used"),
                        "shells/submit: imports no module but " + shell,
                        "bundles/submission: no other module imports its internal packages"),
                wrong(
                        using("dev.hearth.shell.submit.Wrong", "dev.hearth.spi.rpc.EndpointRef"),
                        "shells/submit: sends no messages of its own"));
    }

    static Stream<Arguments> wrongLayers() {
        String data = "platform/engine/data";
        String scheduling = "platform/engine/scheduling";
        String closure = "[platform/engine/closure]";
        return Stream.of(
                layer("closure.Wrong", "plan.Used", "platform/engine/closure", "[]"),
                layer("shuffle.Wrong", "plan.Used", data, closure),
                layer("storage.Wrong", "driver.Used", data, closure),
                layer("scheduler.Wrong", "shuffle.Used", scheduling, closure),
                layer("dag.Wrong", "executor.Used", scheduling, closure),
                layer(
                        "dataset.Wrong",
                        "driver.Used",
                        "platform/engine/dataset",
                        "[platform/engine/closure, " + data + ", " + scheduling + "]"),
                layer(
                        "fetch.Wrong",
                        "dataset.Used",
                        "platform/engine/executor",
                        "[platform/engine/closure, " + data + ", " + scheduling + "]"));
    }

    static Stream<Arguments> wrongLibraries() {
        String everyBundle = ": imports no library but java.* and [ANNOTATIONS, COMPONENTS, SLF4J]";
        String core = ": imports no library but java.* and "
                + "[ANNOTATIONS, SLF4J, COMPONENTS, AIRCOMPRESSOR, CIPHERS, MANAGEMENT, XML]";
        String standalone = ": imports no library but java.* and [ANNOTATIONS, COMPONENTS, SLF4J, MACHINE, TLS]";
        String netty = "only [platform/rpc, itests/bench]: imports [io.netty]";
        return Stream.of(
                wrong(using("dev.hearth.engine.Wrong", "io.netty.buffer.Used"), "platform/engine" + core, netty),
                wrong(
                        using("dev.hearth.standalone.Wrong", "org.apache.felix.framework.Used"),
                        "cluster-managers/standalone" + standalone,
                        "only [platform/kernel]: imports [org.apache.felix.framework]"),
                wrong(
                        using("dev.hearth.engine.Wrong", "org.osgi.framework.wiring.Used"),
                        "only [platform/kernel, platform/rpc, bundles/hadoop-client]: imports"
                                + " [org.osgi.framework, org.osgi.util.tracker]",
                        "platform/engine" + core),
                wrong(
                        using("dev.hearth.standalone.Wrong", "io.fabric8.kubernetes.Used"),
                        "cluster-managers/standalone" + standalone,
                        "only [cluster-managers/kubernetes]: imports [io.fabric8]"),
                wrong(
                        using("dev.hearth.local.Wrong", "org.apache.hadoop.fs.Used"),
                        "cluster-managers/local" + everyBundle,
                        "only [bundles/hadoop-client, bundles/hadoop-fs, cluster-managers/yarn]: imports"
                                + " [org.apache.hadoop]"),
                wrong(
                        using("dev.hearth.submission.Wrong", "ch.qos.logback.Used"),
                        "bundles/submission" + everyBundle,
                        "only [platform/kernel]: imports [ch.qos.logback]"),
                wrong(
                        using("dev.hearth.shell.submit.Wrong", "org.jline.reader.Used"),
                        "only [shells/gogo]: imports [org.jline]",
                        "shells/submit: imports no library but java.* and [ANNOTATIONS, COMPONENTS, SLF4J, TLS]"),
                wrong(
                        using("dev.hearth.api.Wrong", "org.slf4j.Used"),
                        "platform/api: imports no library but java.* and [ANNOTATIONS]"),
                wrong(
                        doing("dev.hearth.api.Wrong", "javax.xml.parsers.SAXParserFactory.newInstance();"),
                        "platform/api: imports no library but java.* and [ANNOTATIONS]"),
                wrong(
                        using("dev.hearth.spi.Wrong", "org.osgi.service.component.annotations.Used"),
                        "platform/spi: imports no library but java.* and [ANNOTATIONS, TLS]"),
                wrong(
                        using("dev.hearth.testkit.Wrong", "org.mockito.Used"),
                        "platform/testkit: imports no library but java.* and [ANNOTATIONS, JUNIT, TLS]"),
                wrong(
                        using("dev.hearth.examples.Wrong", "org.slf4j.Used"),
                        "distribution/examples: imports no library but java.* and [ANNOTATIONS]"));
    }

    static Stream<Arguments> wrongDeeds() {
        String streams = ": does not write to the process's own standard streams";
        return Stream.of(
                wrong(doing("dev.hearth.local.Wrong", "System.out.println();"), "cluster-managers/local" + streams),
                wrong(doing("dev.hearth.kernel.Wrong", "System.err.println();"), "platform/kernel" + streams),
                wrong(
                        doing("dev.hearth.engine.Wrong", "new Exception().printStackTrace();"),
                        "platform/engine" + streams),
                wrong(
                        doing("dev.hearth.rpc.Wrong", "java.util.function.Supplier<Object> out = () -> System.out;"),
                        "platform/rpc" + streams),
                wrong(
                        doing("dev.hearth.standalone.Wrong", "Thread.sleep(1);"),
                        "cluster-managers/standalone: never sleeps"),
                wrong(
                        doing("dev.hearth.examples.Wrong", "java.util.concurrent.TimeUnit.SECONDS.sleep(1);"),
                        "distribution/examples: never sleeps"),
                wrong(
                        doing("dev.hearth.submission.Wrong", "java.util.logging.Logger.getGlobal().info(\"\");"),
                        "bundles/submission: does not use java.util.logging"),
                wrong(doing("dev.hearth.engine.Wrong", "new java.net.Socket();"), "platform/engine: opens no sockets"),
                wrong(
                        doing("dev.hearth.engine.Wrong", "Object given = (Runnable & java.io.Serializable) () -> {};"),
                        "platform/engine: has no serialisable lambda outside of tasks"),
                wrong(
                        doing("dev.hearth.engine.Wrong", "record Given(int number) implements java.io.Serializable {}"),
                        "platform/engine: has no serialisable class outside of tasks but those that are replaced"));
    }

    static Stream<Arguments> wrongStateMachines() {
        String master = "dev.hearth.standalone.internal.master.Master";
        String worker = "dev.hearth.standalone.internal.worker.Worker";
        String placement = "dev.hearth.standalone.internal.master.ExecutorPlacement";
        String scheduler = "dev.hearth.engine.internal.scheduler.TaskScheduler";
        String tasks = "dev.hearth.engine.internal.scheduler.TaskSet";
        String registry = "dev.hearth.engine.internal.driver.executors.ExecutorRegistry";
        return Stream.of(
                machine(master, "System.nanoTime();", "reads no clock"),
                machine(worker, "System.currentTimeMillis();", "reads no clock"),
                scheduling(tasks, "java.time.Instant.now();", "reads no clock"),
                scheduling(tasks, "java.util.function.LongSupplier clock = System::nanoTime;", "reads no clock"),
                scheduling(
                        "dev.hearth.engine.internal.dag.AnyNewClass", "new java.util.Random();", "uses no randomness"),
                machine(registry, "Thread.currentThread();", "uses no threads"),
                scheduling(scheduler, "new java.util.concurrent.ConcurrentHashMap<>();", "uses no threads"),
                machine(placement, "new java.util.Random();", "uses no randomness"),
                machine(placement, "java.util.UUID.randomUUID();", "draws no random value"),
                machine(worker, "java.nio.file.Files.list(null);", "touches no file, network or process"),
                machine(worker, "new java.io.File(\"\");", "touches no file, network or process"),
                machine(master, "java.net.InetAddress.getLocalHost();", "touches no file, network or process"),
                machine(
                        master,
                        "new Object() { void later() { Runnable clock = System::nanoTime; } };",
                        "reads no clock"),
                wrong(using(scheduler, "org.slf4j.Used"), SCHEDULING + ": does not log"),
                wrong(using(scheduler, "dev.hearth.spi.time.Used"), SCHEDULING + ": holds no clock"));
    }

    static Stream<Fixture> right() {
        return Stream.of(
                using("dev.hearth.spi.Right", "dev.hearth.api.Used"),
                using("dev.hearth.local.Right", "dev.hearth.spi.cluster.Used"),
                using("dev.hearth.engine.internal.Right", "dev.hearth.engine.internal.driver.Used"),
                using("dev.hearth.rpc.Right", "io.netty.buffer.Used"),
                using("dev.hearth.kernel.Right", "org.osgi.framework.wiring.Used"),
                using("dev.hearth.rpc.Right", "org.osgi.framework.Used"),
                using("dev.hearth.shell.gogo.Right", "org.apache.felix.service.command.Used"),
                using("dev.hearth.kubernetes.Right", "io.fabric8.kubernetes.Used"),
                using("dev.hearth.yarn.Right", "org.apache.hadoop.yarn.Used"),
                using("dev.hearth.embedded.Right", "dev.hearth.local.Used"),
                using("dev.hearth.shell.submit.Right", "dev.hearth.submission.api.Used"),
                using("dev.hearth.shell.submit.Right", "dev.hearth.spi.rpc.RpcEnvFactory"),
                doing("dev.hearth.kernel.Main", "System.out.println(System.nanoTime());"),
                doing("dev.hearth.examples.Right", "System.out.println();"),
                using("dev.hearth.engine.Right", "dev.hearth.status.store.Used"),
                using(INTERNAL + "driver.Right", INTERNAL + "dag.Used"),
                using(INTERNAL + "dag.Right", INTERNAL + "scheduler.Used"),
                doing(INTERNAL + "driver.Right", "System.nanoTime();"),
                doing(
                        "dev.hearth.engine.internal.executor.Right",
                        "Object mapping = (Runnable & java.io.Serializable) () -> {};"),
                doing("dev.hearth.standalone.internal.master.Master", "java.util.List.of(java.time.Duration.ZERO);"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({
        "wrongModulesOfThePlatform",
        "wrongModulesBehindIt",
        "wrongLibraries",
        "wrongDeeds",
        "wrongStateMachines"
    })
    void namesEveryRuleThatAWrongClassBreaks(Fixture fixture, List<String> words, @TempDir Path directory) {
        JavaClasses classes = fixture.compile(directory);
        List<EvaluationResult> broken = broken(classes);
        assertEquals(words, broken.stream().map(RulesCatchTest::words).sorted().toList());
        for (EvaluationResult result : broken) {
            String report = result.getFailureReport().toString();
            assertTrue(report.contains(", because ") && report.contains(fixture.name()), report);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("right")
    void letsARightClassPass(Fixture fixture, @TempDir Path directory) {
        assertEquals(
                List.of(),
                broken(fixture.compile(directory)).stream()
                        .map(RulesCatchTest::words)
                        .toList());
    }

    @Test
    void namesACycleOfPackages(@TempDir Path directory) {
        JavaClasses classes =
                cycle(INTERNAL + "scheduler.Wrong", INTERNAL + "dag.Used").compile(directory);
        assertEquals(
                List.of("no package cycles"),
                broken(classes).stream().map(RulesCatchTest::words).toList());
    }

    private static Arguments module(String name, String used, String module, String modules) {
        return wrong(using(name, used), module + ": imports no module but " + modules);
    }

    private static Arguments layer(String name, String used, String layer, String layers) {
        return wrong(using(INTERNAL + name, INTERNAL + used), layer + ": imports no layer of the engine but " + layers);
    }

    private static Arguments scheduling(String name, String statement, String rule) {
        return wrong(doing(name, statement), SCHEDULING + ": " + rule);
    }

    private static Arguments machine(String name, String statement, String rule) {
        return wrong(doing(name, statement), "state machine " + name + ": " + rule);
    }

    private static Arguments wrong(Fixture fixture, String... words) {
        return arguments(fixture, Arrays.stream(words).sorted().toList());
    }

    private static List<EvaluationResult> broken(JavaClasses classes) {
        return RULES.stream()
                .map(rule -> rule.evaluate(classes))
                .filter(EvaluationResult::hasViolation)
                .toList();
    }

    /** The rule in words, without its reason and without its violations. */
    private static String words(EvaluationResult result) {
        String report = result.getFailureReport().toString();
        String rule = report.substring(report.indexOf("Rule '") + "Rule '".length());
        return rule.substring(0, rule.indexOf(", because "));
    }
}
