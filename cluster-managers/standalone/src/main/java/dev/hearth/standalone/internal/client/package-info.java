/** The cluster as an application and a submitter see it. */
@NullMarked
package dev.hearth.standalone.internal.client;

import org.jspecify.annotations.NullMarked;
