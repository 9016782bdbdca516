package user;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.yarn.client.api.YarnClient;

/**
 * Uses what other bundles use of Hadoop: configuration, a local file, the login, and two clients whose servers refuse.
 * HadoopIT makes a bundle of this class. Returns a line about each step.
 */
public final class HadoopUse implements Callable<String> {
    private final Configuration configuration;
    private final String directory;

    public HadoopUse(Object configuration, String directory) {
        this.configuration = (Configuration) configuration;
        this.directory = directory;
    }

    @Override
    public String call() throws IOException {
        StringBuilder steps = new StringBuilder();
        steps.append("buffer ").append(configuration.get("io.file.buffer.size")).append('\n');
        Path file = new Path("file://" + directory + "/written");
        try (FileSystem files = FileSystem.newInstance(file.toUri(), configuration)) {
            try (OutputStream out = files.create(file)) {
                out.write("hello".getBytes(UTF_8));
            }
            steps.append("file ").append(files.getFileStatus(file).getLen()).append('\n');
        }
        FileSystem.get(file.toUri(), configuration).getFileStatus(file); // stays in Hadoop's cache
        steps.append("user ")
                .append(UserGroupInformation.getCurrentUser().getShortUserName())
                .append('\n');
        configuration.set("yarn.resourcemanager.address", "127.0.0.1:1");
        configuration.set("yarn.resourcemanager.connect.max-wait.ms", "1");
        configuration.set("ipc.client.connect.max.retries", "0");
        try (YarnClient yarn = YarnClient.createYarnClient()) {
            yarn.init(configuration);
            yarn.start();
            yarn.getApplications();
        } catch (Exception refused) {
            steps.append("yarn ").append(refused.getClass().getSimpleName()).append('\n');
        }
        try (FileSystem hdfs = FileSystem.newInstance(new Path("hdfs://127.0.0.1:1/").toUri(), configuration)) {
            hdfs.exists(new Path("/"));
        } catch (IOException refused) {
            steps.append("hdfs ").append(refused.getClass().getSimpleName()).append('\n');
        }
        steps.append("hook manager of ")
                .append(ShutdownHookManager.class.getMethods().length)
                .append('\n');
        return steps.toString();
    }
}
