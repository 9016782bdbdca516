/** Client side of a standalone cluster. Contains the backend of an application, and the submission of drivers. */
@NullMarked
package dev.hearth.standalone.internal.client;

import org.jspecify.annotations.NullMarked;
