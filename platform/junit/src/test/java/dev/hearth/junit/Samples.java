package dev.hearth.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.hearth.api.HearthContext;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test classes as users write them. {@link HearthExtensionTest} runs them; the build does not discover them. */
final class Samples {
    /** Contexts that samples received since the test began. */
    static final Set<HearthContext> SEEN = ConcurrentHashMap.newKeySet();

    private static CountDownLatch bothRun = new CountDownLatch(0);
    private static CountDownLatch mayEnd = new CountDownLatch(0);

    private Samples() {}

    static void begin() {
        SEEN.clear();
        bothRun = new CountDownLatch(2);
        mayEnd = new CountDownLatch(1);
    }

    static void end() {
        mayEnd.countDown();
    }

    private static void count(HearthContext context) {
        SEEN.add(context);
        assertEquals(3, context.parallelize(List.of(1, 2, 3), 2).count());
    }

    @HearthTest
    static class Everywhere {
        private static HearthContext ofClass;
        private final HearthContext own;

        Everywhere(HearthContext context) {
            own = context;
        }

        @BeforeAll
        static void begin(HearthContext context) {
            ofClass = context;
            count(context);
        }

        @BeforeEach
        void beginOne(HearthContext context) {
            assertSame(ofClass, context);
        }

        @Test
        void first(HearthContext context) {
            assertSame(ofClass, context);
            assertSame(ofClass, own);
            assertEquals("local[2]", context.master());
            assertEquals("Everywhere", context.applicationName());
            count(context);
        }

        @Test
        void second(HearthContext one, HearthContext other) {
            assertSame(one, other);
            assertSame(ofClass, one);
            count(one);
        }

        @AfterEach
        void endOne(HearthContext context) {
            count(context);
        }

        @AfterAll
        static void end(HearthContext context) {
            assertSame(ofClass, context);
            count(context);
        }
    }

    @HearthTest(
            master = "local[3]",
            settings = {"hearth.default.parallelism = 5", "hearth.app.name=as set"})
    static class WithSettings {
        @Test
        void areThose(HearthContext context) {
            assertEquals("local[3]", context.master());
            assertEquals(5, context.defaultParallelism());
            assertEquals("as set", context.applicationName());
            SEEN.add(context);
        }

        @Test
        @HearthTest(master = "local[1]")
        void butHere(HearthContext context) {
            assertEquals("local[1]", context.master());
            SEEN.add(context);
        }
    }

    @HearthTest(per = ContextPer.METHOD, settings = "hearth.default.parallelism=7")
    static class EachItsOwn {
        private final HearthContext own;

        EachItsOwn(HearthContext context) {
            own = context;
        }

        @Test
        void first(HearthContext context) {
            assertSame(own, context);
            assertEquals(7, context.defaultParallelism());
            count(context);
        }

        @Test
        void second(HearthContext context) {
            assertSame(own, context);
            count(context);
        }
    }

    @HearthTest(per = ContextPer.METHOD)
    static class EachItsOwnForAll {
        @BeforeAll
        static void begin(HearthContext context) {
            SEEN.add(context);
        }

        @Test
        void isNotRun() {}
    }

    @HearthTest
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OneInstance {
        private final HearthContext own;

        OneInstance(HearthContext context) {
            own = context;
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void counts(int copies, HearthContext context) {
            assertSame(own, context);
            count(context);
            assertEquals(
                    copies,
                    context.parallelize(Collections.nCopies(copies, "a")).count());
        }
    }

    @HearthTest(per = ContextPer.METHOD)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OneInstanceForMethods {
        OneInstanceForMethods(HearthContext context) {
            SEEN.add(context);
        }

        @Test
        void isNotRun() {}
    }

    @ExtendWith(HearthExtension.class)
    static class Plain {
        @Test
        void hasDefaults(HearthContext context) {
            assertEquals("local[2]", context.master());
            count(context);
        }
    }

    static class OnAMethod {
        @Test
        @ExtendWith(HearthExtension.class)
        void hasDefaults(HearthContext context) {
            assertEquals("OnAMethod.hasDefaults", context.applicationName());
            count(context);
        }
    }

    @HearthTest
    static class Around {
        @Test
        void own(HearthContext context) {
            count(context);
        }

        @Nested
        class Within {
            @Test
            void usesThatAround(HearthContext context) {
                count(context);
            }
        }

        @Nested
        @HearthTest(master = "local[4]")
        class Apart {
            @Test
            void hasItsOwn(HearthContext context) {
                assertEquals("local[4]", context.master());
                count(context);
            }
        }
    }

    static class ByField {
        @RegisterExtension
        static final HearthExtension HEARTH = HearthExtension.builder()
                .master("local[1]")
                .setting("hearth.default.parallelism", "6")
                .per(ContextPer.METHOD)
                .build();

        @Test
        void first(HearthContext context) {
            assertEquals("local[1]", context.master());
            assertEquals(6, context.defaultParallelism());
            count(context);
        }

        @Test
        void second(HearthContext context) {
            count(context);
        }
    }

    @HearthTest
    static class Forgets {
        private static HearthContext ofAll;

        @BeforeAll
        static void begin() {
            ofAll = HearthContext.builder().name("for all").master("local[1]").open();
        }

        @Test
        void leavesOneOpen() {
            SEEN.add(
                    HearthContext.builder().name("forgotten").master("local[1]").open());
        }

        @Test
        void closes(HearthContext given) {
            try (HearthContext context =
                    HearthContext.builder().master("local[1]").open()) {
                assertNotSame(given, context);
                assertEquals(1, ofAll.parallelize(List.of(1), 1).count());
            }
        }

        @AfterAll
        static void end() {
            ofAll.close();
        }
    }

    @HearthTest
    static class ForgetsForAll {
        @BeforeAll
        static void begin() {
            SEEN.add(HearthContext.builder()
                    .name("forgotten by all")
                    .master("local[1]")
                    .open());
        }

        @Test
        void runs() {}
    }

    @HearthTest
    static class LeavesAJob {
        @Nullable
        Future<?> left;

        @Test
        void running(HearthContext context) {
            SEEN.add(context);
            left = context.parallelize(List.of(1), 1).foreachAsync(n -> mayEnd.await());
            while (context.statusTracker().activeJobs().isEmpty()) {
                Thread.onSpinWait(); // until the status tracker shows the job
            }
        }
    }

    @HearthTest(settings = "hearth.task.maxFailures=many")
    static class BadSetting {
        @Test
        void isNotRun(HearthContext context) {
            SEEN.add(context);
        }
    }

    @HearthTest(settings = "hearth.task.maxFailures")
    static class NoSetting {
        @Test
        void isNotRun(HearthContext context) {
            SEEN.add(context);
        }
    }

    @HearthTest(settings = {"hearth.a=1", "hearth.a=2"})
    static class TwiceSet {
        @Test
        void isNotRun(HearthContext context) {
            SEEN.add(context);
        }
    }

    @HearthTest(master = "hearth://127.0.0.1:1")
    static class Elsewhere {
        @Test
        void isNotRun(HearthContext context) {
            SEEN.add(context);
        }
    }

    @HearthTest
    static class JobFails {
        @Test
        void divides(HearthContext context) {
            SEEN.add(context);
            context.parallelize(List.of(0), 1).map(n -> 1 / n).count();
        }

        @Test
        void goesOn(HearthContext context) {
            count(context);
        }
    }

    @HearthTest
    @Execution(ExecutionMode.CONCURRENT)
    static class AtOnce {
        @Test
        void meets(HearthContext context) throws InterruptedException {
            meet(context);
        }
    }

    @HearthTest
    @Execution(ExecutionMode.CONCURRENT)
    static class AtOnceAsWell {
        @Test
        void meets(HearthContext context) throws InterruptedException {
            meet(context);
        }
    }

    /** Waits until both classes are here, with their contexts open. */
    private static void meet(HearthContext context) throws InterruptedException {
        count(context);
        bothRun.countDown();
        bothRun.await();
        count(context);
    }
}
