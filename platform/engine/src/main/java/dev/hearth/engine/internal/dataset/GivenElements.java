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
    /** Cuts evenly; {@code travel}: executors may be in other processes. */
    public static GivenElements cut(List<?> elements, int partitions, UserObjects objects, boolean travel) {
        return new GivenElements(
                partitions, slices(snapshot(elements), partitions, objects, travel), Placement.ANYWHERE);
    }

    /** A partition for each. */
    public static <T> GivenElements placed(List<Placed<T>> elements, UserObjects objects, boolean travel) {
        List<Placed<T>> given = List.copyOf(elements);
        Object[] values = given.stream().map(Placed::element).toArray();
        List<List<String>> hosts = given.stream().map(Placed::hosts).toList();
        return new GivenElements(values.length, slices(values, values.length, objects, travel), hosts::get);
    }

    private static Slices slices(Object[] elements, int partitions, UserObjects objects, boolean travel) {
        return travel ? Slices.write(elements, partitions, objects) : Slices.cut(elements, partitions, objects);
    }

    /** What a list gives may be the array that it lives in. */
    private static Object[] snapshot(List<?> elements) {
        Object[] given = elements.toArray();
        return Arrays.copyOf(given, given.length, Object[].class);
    }
}
