package dev.hearth.examples;

import dev.hearth.api.Broadcast;
import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.Rdd;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Groups points of a plane around centres (k-means); the first points are the initial centres. An input line holds x
 * and y of a point. Prints the final centres.
 */
public final class KMeans {
    private static final List<String> POINTS = List.of("0 0", "9 8", "0 1", "1 0", "8 9", "9 9", "1 1", "8 8");
    private static final double MOVED_ENOUGH = 1e-9;
    private static final int ROUNDS_MAX = 100;

    private KMeans() {}

    public static void main(String[] words) {
        ExampleArguments arguments = ExampleArguments.of("KMeans [file] [centres]", words);
        int count = arguments.number(1, 1, 2);
        try (HearthContext context = HearthContext.builder().name("KMeans").open()) {
            Rdd<Point> points =
                    arguments.lines(0, context, POINTS).map(Point::of).cache();
            List<Point> centres = new ArrayList<>(points.take(count));
            double moved = Double.MAX_VALUE;
            for (int round = 0; round < ROUNDS_MAX && moved > MOVED_ENOUGH; round++) {
                moved = improve(centres, points);
            }
            centres.forEach(centre -> System.out.println(centre.x + "\t" + centre.y));
        }
    }

    /** Moves each centre to the mean of the points that are nearest to it; returns the sum of the distances moved. */
    private static double improve(List<Point> centres, Rdd<Point> points) {
        Broadcast<List<Point>> known = points.context().broadcast(List.copyOf(centres));
        Map<Integer, Pair<Point, Long>> sums = points.mapToPair(
                        point -> Pair.of(nearest(point, known.value()), Pair.of(point, 1L)))
                .reduceByKey((one, other) -> Pair.of(one.key().plus(other.key()), one.value() + other.value()))
                .collectAsMap();
        double moved = 0;
        for (Map.Entry<Integer, Pair<Point, Long>> sum : sums.entrySet()) {
            Point middle = sum.getValue().key().times(1.0 / sum.getValue().value());
            moved += centres.set(sum.getKey(), middle).distance(middle);
        }
        known.destroy();
        return moved;
    }

    private static int nearest(Point point, List<Point> centres) {
        Comparator<Integer> nearer =
                Comparator.comparingDouble(centre -> centres.get(centre).distance(point));
        return IntStream.range(0, centres.size()).boxed().min(nearer).orElseThrow();
    }

    private record Point(double x, double y) implements Serializable {
        static Point of(String line) {
            String[] numbers = line.trim().split("\\s+", -1);
            return new Point(Double.parseDouble(numbers[0]), Double.parseDouble(numbers[1]));
        }

        Point plus(Point other) {
            return new Point(x + other.x, y + other.y);
        }

        Point times(double factor) {
            return new Point(x * factor, y * factor);
        }

        double distance(Point other) {
            return Math.hypot(x - other.x, y - other.y);
        }
    }
}
