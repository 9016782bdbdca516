package dev.hearth.spi.cluster;

import dev.hearth.spi.role.RoleMain.ExitStatus;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Seat of a cluster manager in a driver that runs on its cluster. It reports to the cluster when the application begins
 * and how it has ended, as the application master of YARN does.
 * <p>A service of the manager's bundle in the role {@code driver}. The driver asks for it by the scheme of its master if
 * its launch orders say so ({@link DriverOrders#seated}). The contexts of the application open their backends between
 * the two calls. Both are made on a thread of the driver and may block.
 */
@ConsumerType
public interface DriverSeat {
    /** Service property: the master URL schemes whose drivers this seat serves, for example {@code yarn}. */
    String SCHEME = ClusterManager.SCHEME;

    /**
     * Begins the run of {@code plan}, before any code of the application runs. If it throws, the driver ends with
     * {@code START_FAILED} and does not call {@link #ended}. It is interrupted if the driver is asked to end meanwhile;
     * {@link #ended} is not called then either.
     */
    void begin(SubmissionPlan plan) throws Exception;

    /**
     * Ends the run. Called once after {@link #begin} has returned and all contexts of the application are closed.
     * {@code status} is the status with which the driver is about to exit; {@code words} is the reason of a failure, or
     * empty. When the process was asked to end, less than {@code 8 s} are left. An exception is logged, and the exit
     * status stays.
     */
    void ended(ExitStatus status, String words) throws Exception;
}
