package peer;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Prints when the first task of the application ran. */
public final class FirstTask {
    private FirstTask() {}

    public static void main(String[] arguments) {
        try (JavaSparkContext context = new JavaSparkContext(new SparkConf().setAppName("first-task"))) {
            long first = context.parallelize(List.of(1, 2), 2)
                    .map(number -> System.currentTimeMillis())
                    .reduce(Math::min);
            System.out.println("first task at " + first);
        }
    }
}
