import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.launcher.SparkAppHandle;
import org.apache.spark.launcher.SparkLauncher;

/**
 * Starts an application with Spark's launcher, and prints its states and its id. Arguments: the home of Spark, the action
 * once the application runs (none, stop, kill or version), the main class, the jar, and arguments of the application.
 */
public final class FollowsBySparkLauncher {
    public static void main(String[] arguments) throws Exception {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        String action = arguments[1];
        SparkLauncher launcher = new SparkLauncher(Map.of("HEARTH_CDS", System.getProperty("cds")))
                .setSparkHome(arguments[0])
                .setMaster("local[2]")
                .setMainClass(arguments[2])
                .setAppResource(arguments[3])
                .setConf(SparkLauncher.DRIVER_MEMORY, "512m")
                .redirectToLog("launched");
        for (int i = 4; i < arguments.length; i++) {
            launcher.addAppArgs(arguments[i]);
        }
        if (action.equals("version")) {
            launcher.addSparkArg("--version");
        }
        SparkAppHandle handle = launcher.startApplication(new SparkAppHandle.Listener() {
            @Override
            public void stateChanged(SparkAppHandle changed) {
                seen.add(changed.getState().name());
                if (changed.getState() == SparkAppHandle.State.RUNNING) {
                    running.countDown();
                }
                if (changed.getState().isFinal()) {
                    running.countDown();
                    ended.countDown();
                }
            }

            @Override
            public void infoChanged(SparkAppHandle changed) {
                seen.add("id");
            }
        });
        running.await(1, TimeUnit.MINUTES);
        if (action.equals("stop")) {
            handle.stop();
        } else if (action.equals("kill")) {
            handle.kill();
        }
        ended.await(1, TimeUnit.MINUTES);
        System.out.println(String.join(" ", seen));
        System.out.println(handle.getAppId());
        System.exit(0);
    }
}
