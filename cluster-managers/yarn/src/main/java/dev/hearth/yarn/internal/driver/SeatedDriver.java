package dev.hearth.yarn.internal.driver;

import java.util.Optional;

/** Application of the driver in this process, if its seat has registered one. A service of this bundle; any thread may call. */
@FunctionalInterface
public interface SeatedDriver {
    /** Empty in processes without a seat, and before and after the run of the program. */
    Optional<SeatedApplication> seated();
}
