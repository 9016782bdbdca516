import com.github.ywilkof.sparkrestclient.DriverState;
import com.github.ywilkof.sparkrestclient.SparkRestClient;
import java.util.List;

/**
 * Submits by the library spark-jobs-rest-client. Arguments: the port, and {@code run} with a jar, a main class and
 * arguments, or {@code kill} with the same. Prints the states that the library reads, each once.
 */
public final class SubmitsByRestClient {
    public static void main(String[] arguments) throws Exception {
        SparkRestClient client = SparkRestClient.builder()
                .masterHost("127.0.0.1")
                .masterPort(Integer.parseInt(arguments[0]))
                .sparkVersion("4.2.0")
                .build();
        String id = client.prepareJobSubmit()
                .appName("of a client")
                .appResource(arguments[2])
                .mainClass(arguments[3])
                .appArgs(List.of(arguments).subList(4, arguments.length))
                .withProperties()
                .put("spark.cores.max", "1")
                .submit();
        System.out.println(id);
        boolean kill = arguments[1].equals("kill");
        DriverState last = null;
        while (last == null
                || List.of(DriverState.SUBMITTED, DriverState.RUNNING).contains(last)) {
            DriverState next = client.checkJobStatus().withSubmissionId(id);
            if (kill && next == DriverState.RUNNING) {
                System.out.println("killed " + client.killJob().withSubmissionId(id));
                kill = false;
            }
            if (next != last) {
                System.out.println(next);
            }
            last = next;
        }
        System.out.println(client.checkJobStatus()
                .withSubmissionIdFullResponse(id)
                .getWorkerHostPort()
                .orElse("nowhere"));
    }
}
