package dev.hearth.engine.internal.dataset;

import dev.hearth.api.Placed;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Placement;
import dev.hearth.engine.internal.serial.Slices;
import dev.hearth.engine.internal.serial.UserObjects;
import java.util.Arrays;
import java.util.List;

/** Elements of the driver, cut into partitions as they are now. */
public record GivenElements(int partitions, PartitionInputs inputs, Placement placement) {
    /** Cuts evenly. */
    public static GivenElements cut(List<?> elements, int partitions, UserObjects objects) {
        return new GivenElements(partitions, Slices.cut(snapshot(elements), partitions, objects), Placement.ANYWHERE);
    }

    /** A partition for each. */
    public static <T> GivenElements placed(List<Placed<T>> elements, UserObjects objects) {
        List<Placed<T>> given = List.copyOf(elements);
        Object[] values = given.stream().map(Placed::element).toArray();
        List<List<String>> hosts = given.stream().map(Placed::hosts).toList();
        return new GivenElements(values.length, Slices.cut(values, values.length, objects), hosts::get);
    }

    /** What a list gives may be the array that it lives in. */
    private static Object[] snapshot(List<?> elements) {
        Object[] given = elements.toArray();
        return Arrays.copyOf(given, given.length, Object[].class);
    }
}
