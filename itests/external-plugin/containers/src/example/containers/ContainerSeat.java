package example.containers;

import dev.hearth.spi.cluster.DriverSeat;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import java.io.IOException;

/** Notes in the driver's container which application runs and how it has ended. */
public final class ContainerSeat implements DriverSeat {
    @Override
    public void begin(SubmissionPlan plan) throws IOException {
        ContainerNote.write("runs " + plan.name());
    }

    @Override
    public void ended(ExitStatus status, String words) throws IOException {
        ContainerNote.write("ended with status " + status.status() + (words.isEmpty() ? "" : ": " + words));
    }
}
