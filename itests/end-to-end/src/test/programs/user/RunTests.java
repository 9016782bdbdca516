package user;

import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs the test with JUnit's launcher, as an IDE does. */
public final class RunTests {
    private RunTests() {}

    public static void main(String[] args) {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        Launcher launcher = LauncherFactory.create();
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(DiscoverySelectors.selectClass(SumTest.class))
                        .build(),
                summary);
        System.out.println("passed " + summary.getSummary().getTestsSucceededCount() + ", failed "
                + summary.getSummary().getTotalFailureCount());
    }
}
