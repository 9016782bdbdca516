package dev.hearth.engine.internal.dag;

import dev.hearth.engine.internal.plan.MapOutputLocations;
import dev.hearth.spi.id.ExecutorId;
import java.util.Optional;

/** The map outputs of one shuffle as the driver registers them, for tests of location updates. */
public final class TestingOutputs {
    private final ShuffleStatus outputs;

    public TestingOutputs(int shuffle, int maps) {
        this.outputs = new ShuffleStatus(shuffle, maps, 0);
    }

    public MapOutputLocations places() {
        return outputs.places();
    }

    public static ExecutorId executor(int number) {
        return new ExecutorId("application-20261119-0001-executor-" + number);
    }

    /** The address at which {@link #executor} serves its outputs. */
    public static String address(ExecutorId executor) {
        String number = executor.value().substring(executor.value().lastIndexOf('-') + 1);
        return "host-" + number + ".cluster.example:" + (30_000 + Integer.parseInt(number) % 1_000);
    }

    public static String host(ExecutorId executor) {
        String address = address(executor);
        return address.substring(0, address.indexOf(':'));
    }

    public void register(int map, ExecutorId executor) {
        outputs.register(map, executor.value(), host(executor), 1);
    }

    public void move(int map, ExecutorId from, ExecutorId to) {
        outputs.move(map, from, to, host(to));
    }

    public void drop(int map) {
        outputs.drop(map, Optional.empty(), Integer.MAX_VALUE);
    }

    public void lose(ExecutorId executor) {
        outputs.drop(place -> place.executor().equals(executor), Integer.MAX_VALUE);
    }
}
