package user;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.apache.spark.JobExecutionStatus;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkJobInfo;
import org.apache.spark.SparkStageInfo;
import org.apache.spark.api.java.JavaDoubleRDD;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.StorageLevels;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.partial.BoundedDouble;
import org.apache.spark.partial.PartialResult;
import org.apache.spark.util.StatCounter;
import scala.Tuple2;

/** Tracks the status of a running job, and some numbers. */
public final class TrackStatus {
    public static final String APP_NAME = "TrackStatus";
    public static final String GROUP = "tracked";
    private static final String PARALLELISM = "spark.default.parallelism";
    private static final CountDownLatch SEEN = new CountDownLatch(1);

    /** The same number, computed only after the tracker has seen the job. */
    public static final class Waiting<T> implements Function<T, T> {
        @Override
        public T call(T x) throws Exception {
            SEEN.await();
            return x;
        }
    }

    public static void main(String[] args) throws Exception {
        SparkConf conf = new SparkConf().setAppName(APP_NAME).set(PARALLELISM, "2");
        JavaSparkContext jsc = new JavaSparkContext(conf);
        jsc.setJobGroup(GROUP, "numbers that wait");
        jsc.setLocalProperty("tenant", "north");
        jsc.addJobTag("shown");
        jsc.setCallSite("TrackStatus");

        JavaRDD<Integer> rdd = jsc.parallelize(Arrays.asList(1, 2, 3, 4, 5), 5).map(new Waiting<>());
        JavaFutureAction<List<Integer>> jobFuture = rdd.collectAsync();
        SparkStageInfo stageInfo = null;
        while (stageInfo == null) {
            Thread.yield();
            List<Integer> jobIds = jobFuture.jobIds();
            if (jobIds.isEmpty()) {
                continue;
            }
            int currentJobId = jobIds.get(jobIds.size() - 1);
            SparkJobInfo jobInfo = jsc.statusTracker().getJobInfo(currentJobId);
            if (jobInfo != null && jobInfo.status() == JobExecutionStatus.RUNNING) {
                stageInfo = jsc.statusTracker().getStageInfo(jobInfo.stageIds()[0]);
            }
        }
        System.out.println(stageInfo.numTasks() + " tasks total: "
            + stageInfo.numCompletedTasks() + " complete, " + stageInfo.numFailedTasks() + " failed");
        int[] ofGroup = jsc.statusTracker().getJobIdsForGroup(GROUP);
        System.out.println(ofGroup.length + " job, by default of " + jsc.getConf().get("spark.default.parallelism", "1"));
        SEEN.countDown();
        System.out.println("Job results are: " + jobFuture.get());

        JavaDoubleRDD doubles = rdd.mapToDouble(x -> x * 1.5).persist(StorageLevels.MEMORY_ONLY);
        StatCounter stats = doubles.stats();
        System.out.println(stats.count() + " numbers up to " + stats.max() + ", mean " + stats.mean());
        PartialResult<BoundedDouble> sum = doubles.sumApprox(60000, 0.9);
        System.out.println("sum " + sum.getFinalValue().mean());
        JavaPairRDD<Integer, Integer> folded = rdd.mapToPair(x -> new Tuple2<>(x % 2, x)).foldByKey(0, 2, Integer::sum);
        System.out.println(folded.sortByKey().collectAsMap());
        System.out.println("for " + jsc.getLocalProperty("tenant") + ", " + jsc.getJobTags());
        jsc.clearCallSite();
        jsc.stop();
    }
}
