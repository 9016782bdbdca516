package dev.hearth.engine.internal.dataset;

import dev.hearth.api.Placed;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.PreferredLocations;
import java.util.Arrays;
import java.util.List;

/**
 * Elements that the user passed to {@code parallelize}, copied and split into {@code partitions}. {@code inputs} has
 * the elements of each partition. Immutable.
 */
public record ParallelizedSource(int partitions, PartitionInputs inputs, PreferredLocations placement) {
    /**
     * Splits the elements evenly into partitions. {@code travel} states that tasks run in other processes; the elements
     * are then serialised now.
     */
    public static ParallelizedSource cut(
            List<?> elements, int partitions, UserObjectSerializer objects, boolean travel) {
        return new ParallelizedSource(
                partitions, slices(snapshot(elements), partitions, objects, travel), PreferredLocations.ANYWHERE);
    }

    /**
     * Makes one partition for each element. The task of the partition prefers the hosts that the user gave for the
     * element.
     */
    public static <T> ParallelizedSource placed(
            List<Placed<T>> elements, UserObjectSerializer objects, boolean travel) {
        List<Placed<T>> given = List.copyOf(elements);
        Object[] values = given.stream().map(Placed::element).toArray();
        List<List<String>> hosts = given.stream().map(Placed::hosts).toList();
        return new ParallelizedSource(values.length, slices(values, values.length, objects, travel), hosts::get);
    }

    private static ParallelizedElements slices(
            Object[] elements, int partitions, UserObjectSerializer objects, boolean travel) {
        return travel
                ? ParallelizedElements.write(elements, partitions, objects)
                : ParallelizedElements.cut(elements, partitions, objects);
    }

    /**
     * Copies the collection into a new array. {@code toArray} alone is not enough, because a user's list may return the
     * array that it uses itself.
     */
    private static Object[] snapshot(List<?> elements) {
        Object[] given = elements.toArray();
        return Arrays.copyOf(given, given.length, Object[].class);
    }
}
