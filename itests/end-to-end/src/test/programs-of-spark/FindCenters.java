package user;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaDoubleRDD;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.DoubleFunction;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.api.java.function.PairFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/** Finds the centers of clouds of points, by k-means. Lines of the input are coordinates. */
public final class FindCenters {
    static class ParsePoint implements Function<String, double[]> {
        @Override
        public double[] call(String line) {
            return Arrays.stream(line.split(" ")).mapToDouble(Double::parseDouble).toArray();
        }
    }

    static class AddPoints implements Function2<Tuple2<double[], Long>, Tuple2<double[], Long>, Tuple2<double[], Long>> {
        @Override
        public Tuple2<double[], Long> call(Tuple2<double[], Long> left, Tuple2<double[], Long> right) {
            double[] sum = left._1().clone();
            for (int i = 0; i < sum.length; i++) {
                sum[i] += right._1()[i];
            }
            return new Tuple2<>(sum, left._2() + right._2());
        }
    }

    static double distance(double[] left, double[] right) {
        double sum = 0;
        for (int i = 0; i < left.length; i++) {
            sum += (left[i] - right[i]) * (left[i] - right[i]);
        }
        return sum;
    }

    static int closest(double[] point, List<double[]> centers) {
        int best = 0;
        for (int i = 1; i < centers.size(); i++) {
            best = distance(point, centers.get(i)) < distance(point, centers.get(best)) ? i : best;
        }
        return best;
    }

    public static void main(String[] args) throws Exception {
        JavaSparkContext jsc = new JavaSparkContext(new SparkConf().setAppName("FindCenters"));
        JavaRDD<double[]> points = jsc.textFile(args[0]).map(new ParsePoint());
        points.setName("points").persist(StorageLevel.MEMORY_AND_DISK());
        List<double[]> centers = points.take(Integer.parseInt(args[1]));

        double moved = Double.MAX_VALUE;
        while (moved > 1e-9) {
            Broadcast<List<double[]>> known = jsc.broadcast(centers);
            JavaPairRDD<Integer, Tuple2<double[], Long>> nearest = points.mapToPair(
                new PairFunction<double[], Integer, Tuple2<double[], Long>>() {
                    @Override
                    public Tuple2<Integer, Tuple2<double[], Long>> call(double[] point) {
                        return new Tuple2<>(closest(point, known.value()), new Tuple2<>(point, 1L));
                    }
                });
            Map<Integer, Tuple2<double[], Long>> sums = nearest
                .reduceByKey(new HashPartitioner(2), new AddPoints())
                .collectAsMap();
            moved = 0;
            for (int i = 0; i < centers.size(); i++) {
                Tuple2<double[], Long> sum = sums.get(i);
                double[] center = Arrays.stream(sum._1()).map(x -> x / sum._2()).toArray();
                moved += distance(centers.get(i), center);
                centers.set(i, center);
            }
            known.destroy();
        }

        List<double[]> found = centers;
        JavaDoubleRDD costs = points.mapToDouble(new DoubleFunction<double[]>() {
            @Override
            public double call(double[] point) {
                return distance(point, found.get(closest(point, found)));
            }
        });
        JavaRDD<String> partitions = points.mapPartitions(new FlatMapFunction<Iterator<double[]>, String>() {
            @Override
            public Iterator<String> call(Iterator<double[]> part) {
                return Arrays.asList("partition " + TaskContext.getPartitionId() + " " + part.hasNext()).iterator();
            }
        });
        for (double[] center : centers) {
            System.out.println(String.format(Locale.ROOT, "center %.3f %.3f", center[0], center[1]));
        }
        System.out.println(String.format(Locale.ROOT, "cost %.3f of %d", costs.sum(), points.count()));
        System.out.println(partitions.collect().size() == points.getNumPartitions());
        jsc.close();
    }
}
