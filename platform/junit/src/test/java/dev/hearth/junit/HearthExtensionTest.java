package dev.hearth.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs {@link Samples} as an IDE does, and checks the results and that contexts are closed. */
@Timeout(60)
class HearthExtensionTest {
    /** Results: each test and class by its name, with its failure, and the report entries. */
    private static final class Heard implements TestExecutionListener {
        private final Map<String, Optional<Throwable>> ended = Collections.synchronizedMap(new LinkedHashMap<>());
        private final List<String> reported = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            ended.put(test.getDisplayName(), result.getThrowable());
        }

        @Override
        public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
            reported.addAll(entry.getKeyValuePairs().values());
        }

        private Map<String, String> failures() {
            Map<String, String> failures = new LinkedHashMap<>();
            ended.forEach(
                    (name, failure) -> failure.ifPresent(why -> failures.put(name, String.valueOf(why.getMessage()))));
            return failures;
        }
    }

    @BeforeEach
    void begin() {
        Samples.begin();
    }

    @AfterEach
    void end() {
        Samples.end();
    }

    @Test
    void givesOneContextToAllMethodsOfAClass() {
        assertPass(Samples.Everywhere.class, "first(HearthContext)", "second(HearthContext, HearthContext)");
        assertAllClosed(1);
    }

    @Test
    void opensItWithTheSettingsOfTheClassOrTheMethod() {
        assertPass(Samples.WithSettings.class, "areThose(HearthContext)", "butHere(HearthContext)");
        assertAllClosed(2);
    }

    @Test
    void givesEachMethodItsOwn() {
        assertPass(Samples.EachItsOwn.class, "first(HearthContext)", "second(HearthContext)");
        assertAllClosed(2);
        Samples.begin();
        assertPass(Samples.ByField.class, "first(HearthContext)", "second(HearthContext)");
        assertAllClosed(2);
    }

    @Test
    void refusesOneForAllWhereEachHasItsOwn() {
        assertFails(
                Samples.EachItsOwnForAll.class,
                "Samples$EachItsOwnForAll",
                "a context requested outside of a test method");
        assertFails(
                Samples.OneInstanceForMethods.class,
                "Samples$OneInstanceForMethods",
                "a context requested outside of a test method");
        assertAllClosed(0);
    }

    @Test
    void servesPlainUsesOfTheExtension() {
        assertPass(Samples.Plain.class, "hasDefaults(HearthContext)");
        assertPass(Samples.OnAMethod.class, "hasDefaults(HearthContext)");
        assertAllClosed(2);
    }

    @Test
    void servesTheOneInstanceOfAllMethods() {
        assertPass(Samples.OneInstance.class, "counts(int, HearthContext)");
        assertAllClosed(1);
    }

    @Test
    void servesNestedClassesFromTheirSurroundings() {
        assertPass(
                Samples.Around.class,
                "own(HearthContext)",
                "usesThatAround(HearthContext)",
                "hasItsOwn(HearthContext)");
        assertAllClosed(2);
    }

    @Test
    void holdsAContextForEachOfSeveralClassesAtOnce() {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(
                        DiscoverySelectors.selectClass(Samples.AtOnce.class),
                        DiscoverySelectors.selectClass(Samples.AtOnceAsWell.class))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "2")
                .build();
        assertEquals(Map.of(), run(request).failures());
        assertAllClosed(2);
    }

    @Test
    void failsATestThatLeavesAContextOpenAndClosesIt() {
        Heard heard = assertFails(
                Samples.Forgets.class,
                "leavesOneOpen()",
                "contexts [context of forgotten on local[1]] were open at its end");
        assertEquals(Optional.empty(), heard.ended.get("closes(HearthContext)"));
        assertAllClosed(1);
        Samples.begin();
        assertFails(
                Samples.ForgetsForAll.class,
                "Samples$ForgetsForAll",
                "contexts [context of forgotten by all on local[1]] were open at its end");
        assertAllClosed(1);
    }

    @Test
    void tellsOfJobsThatRanWhenTheContextWasClosed() {
        Heard heard = run(Samples.LeavesAJob.class);
        assertEquals(Map.of(), heard.failures());
        assertEquals(
                List.of("context of LeavesAJob: closed while jobs [0] ran (expected: none); wait for their futures,"
                        + " or cancel them"),
                heard.reported);
        assertAllClosed(1);
    }

    @Test
    void saysWhichSettingIsWrong() {
        assertFails(Samples.BadSetting.class, "isNotRun(HearthContext)", "hearth.task.maxFailures: many (expected: ");
        assertFails(
                Samples.NoSetting.class,
                "Samples$NoSetting",
                "setting 'hearth.task.maxFailures' (expected: key=value)");
        assertFails(Samples.TwiceSet.class, "Samples$TwiceSet", "setting hearth.a: given twice");
        assertFails(
                Samples.Elsewhere.class,
                "isNotRun(HearthContext)",
                "start this program with bin/submit --master hearth");
        assertAllClosed(0);
    }

    @Test
    void failsATestWhoseJobFailsAndGoesOnWithTheNext() {
        Heard heard = assertFails(Samples.JobFails.class, "divides(HearthContext)", "/ by zero");
        assertEquals(Optional.empty(), heard.ended.get("goesOn(HearthContext)"));
        assertAllClosed(1);
    }

    private static void assertPass(Class<?> sample, String... tests) {
        Heard heard = run(sample);
        assertEquals(Map.of(), heard.failures());
        for (String test : tests) {
            assertTrue(heard.ended.containsKey(test), () -> test + " did not run, but " + heard.ended.keySet());
        }
    }

    private static Heard assertFails(Class<?> sample, String place, String message) {
        Heard heard = run(sample);
        Map<String, String> failures = heard.failures();
        assertEquals(List.of(place), List.copyOf(failures.keySet()), failures::toString);
        assertTrue(failures.get(place).contains(message), failures::toString);
        return heard;
    }

    private static Heard run(Class<?> sample) {
        return run(LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(sample))
                .build());
    }

    private static Heard run(LauncherDiscoveryRequest request) {
        Heard heard = new Heard();
        LauncherFactory.create().execute(request, heard);
        return heard;
    }

    private static void assertAllClosed(int contexts) {
        assertEquals(contexts, Samples.SEEN.size());
        for (HearthContext context : Samples.SEEN) {
            HearthException closed = assertThrows(
                    HearthException.class,
                    () -> context.parallelize(List.of(1), 1).count());
            assertEquals("CONTEXT_CLOSED", closed.code());
        }
        assertEquals(List.of(), UnmanagedContexts.ofThisThread());
    }
}
