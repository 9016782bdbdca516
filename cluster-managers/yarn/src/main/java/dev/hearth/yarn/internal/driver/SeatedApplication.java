package dev.hearth.yarn.internal.driver;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.yarn.internal.backend.YarnApplication;
import dev.hearth.yarn.internal.launch.StagedFiles;

/** Application that the driver of this process has registered. {@code files} are those of executors. Immutable. */
public record SeatedApplication(ApplicationId id, YarnApplication application, StagedFiles files, String user) {}
