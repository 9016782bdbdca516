package dev.hearth.engine.internal.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.allocation.ExecutorData.ShuffleUse;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.Simulation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random loads on a cluster that grants and removes executors with delays: the bounds always hold, and both are
 * reached.
 */
class AllocationWorldTest {
    private static final long MILLI = 1_000_000L;
    private static final List<ShuffleUse> OUTPUTS = List.of(ShuffleUse.values());
    private static final int STEPS = 3_000;
    private static final int STEP_MILLIS_MAX = 400;

    static LongStream seeds() {
        return Simulation.seeds(100);
    }

    /** An executor of the world. */
    private static final class Model {
        private int running;
        private long quiet;
        private boolean keeps;
        private ShuffleUse outputs = ShuffleUse.NONE;

        Model(long quiet) {
            this.quiet = quiet;
        }

        boolean isProtected() {
            return keeps || outputs != ShuffleUse.NONE;
        }
    }

    /** One run. */
    private static final class World implements ExecutorData {
        private final String name;
        private final Random random;
        private final int min;
        private final int max;
        private final int cores;
        private final ExecutorAllocation allocation;
        private final Map<ExecutorId, Model> executors = new LinkedHashMap<>();
        private long now;
        private int created;
        private int waiting;
        private int gang;

        World(long seed) {
            name = "seed " + seed + ": ";
            random = new Random(seed);
            now = random.nextLong(); // only differences matter
            min = random.nextInt(4);
            max = min + 1 + random.nextInt(20);
            cores = 1 + random.nextInt(4);
            allocation = new ExecutorAllocation(AllocationSettings.from(Settings.empty()
                    .with(
                            "world",
                            Map.of(
                                    "hearth.dynamicAllocation.minExecutors", "" + min,
                                    "hearth.dynamicAllocation.maxExecutors", "" + max,
                                    "hearth.dynamicAllocation.initialExecutors", "" + (min + random.nextInt(max - min)),
                                    "hearth.dynamicAllocation.executorIdleTimeout", "2s",
                                    "hearth.executor.cores", "" + cores))));
        }

        @Override
        public boolean holdsBlocks(ExecutorId executor) {
            return model(executor).keeps;
        }

        @Override
        public ShuffleUse shuffles(ExecutorId executor) {
            return model(executor).outputs;
        }

        private Model model(ExecutorId executor) {
            Model model = executors.get(executor);
            assertTrue(model != null, name + executor + " is unknown (expected: an executor of the world)");
            return model;
        }

        void step(boolean calm) {
            now += MILLI * (1 + random.nextInt(STEP_MILLIS_MAX));
            if (executors.size() < allocation.wanted() && random.nextInt(3) == 0) {
                executors.put(new ExecutorId("e" + created++), new Model(now));
            }
            if (!calm) {
                disturb();
            }
            executors.values().forEach(this::run);
            decide();
        }

        private void disturb() {
            if (random.nextInt(20) == 0) {
                waiting += random.nextInt(60);
            }
            gang = random.nextInt(100) == 0 ? random.nextInt(30) : random.nextInt(10) == 0 ? 0 : gang;
            for (ExecutorId executor : List.copyOf(executors.keySet())) {
                Model model = model(executor);
                switch (random.nextInt(300)) {
                    case 0 -> { // lost: its tasks wait again
                        waiting += model.running;
                        executors.remove(executor);
                    }
                    case 1 -> model.keeps = !model.keeps;
                    case 2 -> model.outputs = OUTPUTS.get(random.nextInt(OUTPUTS.size()));
                    default -> {}
                }
            }
        }

        private void run(Model model) {
            while (model.running < cores && waiting > 0) {
                model.running++;
                waiting--;
                model.quiet = now;
            }
            if (model.running > 0 && random.nextInt(4) == 0) {
                model.running--;
                model.quiet = now;
            }
        }

        void decide() {
            int running =
                    executors.values().stream().mapToInt(model -> model.running).sum();
            List<ExecutorActivity> seen = executors.entrySet().stream()
                    .map(each -> new ExecutorActivity(
                            each.getKey(), cores, each.getValue().running > 0, each.getValue().quiet))
                    .toList();
            int before = executors.size();
            AllocationDecision decision =
                    allocation.decide(new SchedulerLoad(running, 0, waiting, 0, gang), seen, this, now);
            int wanted = decision.wanted();
            assertTrue(min <= wanted && wanted <= max, () -> name + wanted + " wanted of " + min + " to " + max);
            assertTrue(
                    decision.released().isEmpty()
                            || before - decision.released().size() >= wanted,
                    () -> name + decision.released() + " of " + before + " are released, wanted are " + wanted);
            decision.wakeNanos().ifPresent(wake -> assertTrue(wake - now >= 0, name + "woken in the past"));
            for (ExecutorId executor : decision.released()) {
                Model model = model(executor);
                assertFalse(model.running > 0, name + executor + " runs tasks and is released");
                assertFalse(model.isProtected(), name + executor + " is protected and released");
                assertTrue(now - model.quiet >= 2000 * MILLI, name + executor + " is released too soon");
            }
            executors.keySet().removeAll(decision.released());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void staysWithinItsBoundsAndReachesBoth(long seed) {
        World world = new World(seed);
        for (int step = 0; step < STEPS; step++) {
            world.step(false);
        }
        world.gang = 0;
        world.waiting = 100_000;
        for (int step = 0; step < 200; step++) {
            world.step(true);
        }
        assertEquals(world.max, world.allocation.wanted(), world.name + "with a lasting backlog");
        assertEquals(world.max, world.executors.size(), world.name);
        world.waiting = 0;
        world.executors.values().forEach(model -> {
            model.keeps = false;
            model.outputs = ShuffleUse.NONE;
        });
        for (int step = 0; step < 200; step++) {
            world.step(true);
        }
        assertEquals(world.min, world.allocation.wanted(), world.name + "without work");
        assertEquals(world.min, world.executors.size(), world.name);
    }
}
