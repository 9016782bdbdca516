package user;

import java.io.Serializable;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.Optional;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.api.java.function.PairFunction;
import org.apache.spark.api.java.function.VoidFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.LongAccumulator;
import scala.Tuple2;
import scala.Tuple3;

/** Summarises a web server's log: requests and bytes by user, address and page, without those of robots. */
public class AskLogs {
    private static final Pattern LINE = Pattern.compile(
        "^(\\S+) (\\S+) \\[([^\\]]+)\\] \"GET (\\S+)\" (\\d{3}) (\\d+) \"([^\"]*)\"$");

    /** The number of requests and their bytes. */
    public static class Stats implements Serializable {
        private final int requests;
        private final long bytes;

        public Stats(int requests, long bytes) {
            this.requests = requests;
            this.bytes = bytes;
        }

        public Stats merge(Stats other) {
            return new Stats(requests + other.requests, bytes + other.bytes);
        }

        @Override
        public String toString() {
            return requests + " requests, " + bytes + " bytes";
        }
    }

    public static Tuple3<String, String, String> key(Matcher line) {
        return new Tuple3<>(line.group(2), line.group(1), line.group(4));
    }

    static JavaPairRDD<Tuple3<String, String, String>, Stats> requests(
            JavaRDD<String> lines, Broadcast<Set<String>> robots, LongAccumulator unread) {
        return lines
            .map(LINE::matcher)
            .map(matcher -> matcher.find() && !robots.value().contains(matcher.group(7))
                ? new Tuple2<>(key(matcher), new Stats(1, Long.parseLong(matcher.group(6))))
                : null)
            .filter(pair -> {
                if (pair == null) {
                    unread.add(1L);
                }
                return pair != null;
            })
            .mapToPair(pair -> pair);
    }

    public static void main(String[] args) {
        SparkConf conf = new SparkConf().setAppName("AskLogs").set("spark.default.parallelism", "2");
        JavaSparkContext sc = new JavaSparkContext(conf);
        sc.setLogLevel("WARN");

        Broadcast<Set<String>> robots = sc.broadcast(new HashSet<>(Arrays.asList("crawler/1", "spider/2")));
        LongAccumulator unread = sc.sc().longAccumulator("unread");
        JavaRDD<String> lines = sc.textFile(args[0], 2).filter(new Function<String, Boolean>() {
            @Override
            public Boolean call(String line) {
                return !line.isEmpty();
            }
        });
        JavaPairRDD<Tuple3<String, String, String>, Stats> counts =
            requests(lines, robots, unread).reduceByKey((a, b) -> a.merge(b));
        Map<String, Stats> sorted = new TreeMap<>();
        for (Map.Entry<Tuple3<String, String, String>, Stats> count : counts.collectAsMap().entrySet()) {
            sorted.merge(count.getKey()._3(), count.getValue(), Stats::merge);
        }
        sorted.forEach((page, stats) -> System.out.println(page + ": " + stats));
        System.out.println("left out " + unread.value());

        JavaPairRDD<String, Integer> byPage = counts.mapToPair(
            new PairFunction<Tuple2<Tuple3<String, String, String>, Stats>, String, Integer>() {
                @Override
                public Tuple2<String, Integer> call(Tuple2<Tuple3<String, String, String>, Stats> count) {
                    return new Tuple2<>(count._1()._3(), count._2().requests);
                }
            }).reduceByKey(Integer::sum);
        JavaPairRDD<String, String> titles = sc.parallelizePairs(
            Arrays.asList(new Tuple2<>("/", "Welcome"), new Tuple2<>("/lost", "Nothing here")));
        Map<String, Tuple2<Integer, Optional<String>>> titled =
            new TreeMap<>(byPage.leftOuterJoin(titles).collectAsMap());
        for (Map.Entry<String, Tuple2<Integer, Optional<String>>> page : titled.entrySet()) {
            System.out.println(page.getKey() + " " + page.getValue()._2().orElse("untitled") + " " + page.getValue()._1());
        }
        byPage.foreach(new VoidFunction<Tuple2<String, Integer>>() {
            @Override
            public void call(Tuple2<String, Integer> count) {
                if (count._2() < 1) {
                    throw new IllegalStateException(count._1());
                }
            }
        });
        sc.stop();
    }
}
