package user;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import com.google.common.collect.Iterables;
import scala.Tuple2;

import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.sql.SparkSession;

/** Ranks pages by their incoming links. Lines of the input are "from to". */
public final class RankPages {
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private static class Sum implements Function2<Double, Double, Double> {
        @Override
        public Double call(Double left, Double right) {
            return left + right;
        }
    }

    public static void main(String[] args) throws Exception {
        SparkSession spark = SparkSession
            .builder()
            .appName("RankPages")
            .config("spark.default.parallelism", "3")
            .getOrCreate();

        JavaRDD<String> lines = spark.read().textFile(args[0]).javaRDD();
        JavaPairRDD<String, Iterable<String>> links = lines.mapToPair(line -> {
            String[] ends = BLANKS.split(line);
            return new Tuple2<>(ends[0], ends[1]);
        }).distinct().groupByKey().cache();
        JavaPairRDD<String, Double> ranks = links.mapValues(targets -> 1.0);

        for (int round = 0; round < Integer.parseInt(args[1]); round++) {
            JavaPairRDD<String, Double> given = links.join(ranks).values().flatMapToPair(page -> {
                int count = Iterables.size(page._1());
                List<Tuple2<String, Double>> parts = new ArrayList<>();
                for (String target : page._1) {
                    parts.add(new Tuple2<>(target, page._2() / count));
                }
                return parts.iterator();
            });
            ranks = given.reduceByKey(new Sum()).mapValues(sum -> 0.15 + sum * 0.85);
        }

        List<Tuple2<String, Double>> output = ranks.sortByKey().collect();
        for (Tuple2<?, ?> page : output) {
            System.out.println(String.format(Locale.ROOT, "%s %.6f", page._1(), page._2()));
        }
        spark.stop();
    }
}
