package operations;

import java.io.PrintWriter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Checks each property of the class {@code args[0]} {@code args[1]} times, with data from the seed {@code args[2]} and
 * files below {@code args[3]}.
 */
public final class RunsOperations {
    static String directory = "";

    private RunsOperations() {}

    public static void main(String[] args) {
        System.setProperty("hearth.operations.tries", args[1]);
        System.setProperty("hearth.operations.seed", args[2]);
        directory = args[3];
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass("operations." + args[0]))
                                .configurationParameter("jqwik.database", "")
                                .build(),
                        listener);
        TestExecutionSummary summary = listener.getSummary();
        summary.printFailuresTo(new PrintWriter(System.err, true), 30);
        System.out.println(
                summary.getTestsSucceededCount() + " hold, " + summary.getTotalFailureCount() + " do not hold");
    }
}
