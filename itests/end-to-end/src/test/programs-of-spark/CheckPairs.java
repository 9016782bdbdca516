package user;

import com.google.common.collect.Iterables;
import java.io.DataInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.apache.spark.Partitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction2;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.input.PortableDataStream;
import scala.Tuple2;

/** Calls the operations on pairs as Spark's test suites do. */
public final class CheckPairs {
    private CheckPairs() {}

    private static final class ByParity extends Partitioner {
        @Override
        public int numPartitions() {
            return 2;
        }

        @Override
        public int getPartition(Object key) {
            return ((Integer) key) % 2;
        }
    }

    public static void main(String[] args) {
        JavaSparkContext first = new JavaSparkContext(new SparkConf().setMaster("local").setAppName("first")); first.stop();
        JavaSparkContext second = new JavaSparkContext("local[2]", "second", new SparkConf());
        second.close();
        JavaSparkContext sc = new JavaSparkContext("local[2]", "CheckPairs");

        JavaRDD<Integer> numbers = sc.parallelize(Arrays.asList(1, 1, 2, 3, 5, 8), 2);
        Function<Integer, Boolean> isOdd = x -> x % 2 != 0;
        Function<Integer, Boolean> isLarge = x -> x > 2;
        TreeMap<Boolean, Integer> sizes = new TreeMap<>();
        for (Tuple2<Boolean, Iterable<Integer>> group : numbers.groupBy(isOdd).collect()) {
            sizes.put(group._1(), Iterables.size(group._2()));
        }
        System.out.println(sizes + " " + numbers.filter(isLarge).count());

        JavaPairRDD<Integer, String> pairs = numbers.mapToPair(x -> new Tuple2<>(x, "n" + x)).partitionBy(new ByParity());
        System.out.println(pairs.map(Tuple2::_1).filter(x -> x > 3).collect());
        System.out.println(pairs.mapPartitions(rest -> {
            List<Integer> places = new ArrayList<>();
            while (rest.hasNext()) {
                rest.next();
                places.add(TaskContext.get().partitionId());
            }
            return places.iterator();
        }).collect());

        FlatMapFunction2<Iterator<Integer>, Iterator<Integer>, String> sizesOf = (left, right) -> {
            int lefts = 0;
            int rights = 0;
            while (left.hasNext()) {
                lefts += left.next() > 0 ? 1 : 0;
            }
            while (right.hasNext()) {
                rights += right.next() > 0 ? 1 : 0;
            }
            return Arrays.asList(lefts + "/" + rights).iterator();
        };
        System.out.println(numbers.zipPartitions(numbers.map(x -> x + 1), sizesOf).collect());

        JavaPairRDD<String, PortableDataStream> files = sc.binaryFiles(args[0]);
        System.out.println(files.values().map(file -> {
            try (DataInputStream in = file.open()) {
                return in.readAllBytes().length;
            }
        }).collect());
        sc.stop();
    }
}
